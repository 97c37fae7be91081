import JSON
import PushCore
import PushModel
import Testing

@Suite struct `The size of a message` {
    static let token = SendTarget.token("t")
    static let topic = SendTarget.topic(TopicName("x")!)

    static func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

    /// A message and the smallest limit under which it passes.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var message: Message
        var bytes: Int

        init(_ name: String, _ message: Message, _ bytes: Int) {
            self.name = name
            self.message = message
            self.bytes = bytes
        }

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            "names and values of the data",
            Message(data: [.init(key: "ab", value: "cde"), .init(key: "f", value: "")]), 6),
        Row("texts in UTF-8", Message(data: [.init(key: "k", value: "😀é")]), 1 + 4 + 2),
        Row("a character of many code points", Message(data: [.init(key: "k", value: "👩‍👩‍👧‍👦")]), 1 + 25),
        Row("all of the notification", Message(notification: .init(title: "ab", body: "c", image: "https://e")), 12),
        Row(
            "data and notification together",
            Message(data: [.init(key: "k", value: "v")], notification: .init(title: "t")), 3),
        Row(
            "Android's own data instead of the common",
            Message(
                data: [.init(key: "k", value: "v")], android: AndroidOptions(data: [.init(key: "k", value: "vwxyz")])),
            6),
        Row(
            "Android's notification instead of the common",
            Message(
                notification: .init(title: "t"),
                android: AndroidOptions(notification: ["title": "tuv", "sticky": true])),
            5 + 3 + 6 + 4),
        Row(
            "the web's own data and notification",
            Message(
                webpush: WebPushOptions(data: [.init(key: "k", value: "v")], notification: ["vibrate": [100, 50]])),
            2 + 7 + 5),
    ]

    @Test(arguments: rows) func `is counted to the byte`(row: Row) throws {
        try MessageValidator(limits: MessageLimits(maximumBytes: row.bytes)).validate(row.message, to: Self.token)
        let error = #expect(throws: SendError.self) {
            try MessageValidator(limits: MessageLimits(maximumBytes: row.bytes - 1))
                .validate(row.message, to: Self.token)
        }
        #expect(error?.kind == .messageTooBig)
    }

    @Test(arguments: [(4096, 2048)]) func `may be 4 kB, and half of that for topics`(one: Int, many: Int) throws {
        func message(_ bytes: Int) -> Message { Message(data: [.init(key: "k", value: Self.text(bytes - 1))]) }
        let validator = MessageValidator()
        try validator.validate(message(one), to: Self.token)
        try validator.validate(message(many), to: Self.topic)
        let tooBig = #expect(throws: SendError.self) { try validator.validate(message(one + 1), to: Self.token) }
        #expect(tooBig?.message == "Message is too large. The maximum is 4K (4096 bytes).")
        #expect(tooBig?.violations.isEmpty == true)
        let tooBigForMany = #expect(throws: SendError.self) {
            try validator.validate(message(many + 1), to: Self.topic)
        }
        #expect(tooBigForMany?.message == "Message is too large. The maximum is 2K (2048 bytes).")
    }

    @Test func `names the platform whose part is too large`() {
        let android = Message(android: AndroidOptions(data: [.init(key: "k", value: Self.text(4096))]))
        let web = Message(webpush: WebPushOptions(notification: ["body": .string(Self.text(4096))]))
        let apple = Message(apns: APNsOptions(payload: ["aps": ["alert": .string(Self.text(2048))]]))
        for (message, target, text) in [
            (android, Self.token, "Android message is too big"), (web, Self.token, "Web push message is too big"),
            (apple, Self.topic, "iOS message is too big"),
        ] {
            let error = #expect(throws: SendError.self) { try MessageValidator().validate(message, to: target) }
            #expect(error?.message == text)
        }
    }
}

@Suite struct `The names of data` {
    @Test(arguments: [
        "from", "message_type", "gcm", "google", "google.", "google.c.a.e", "gcm.message_id", "gcm.notification.title",
        "google.\u{301}x", "gcm.\u{200D}",
    ]) func `are reserved where the service writes`(key: String) {
        #expect(DataKeyRules.isReserved(key))
        let error = #expect(throws: SendError.self) {
            try MessageValidator().validate(Message(data: [.init(key: key, value: "x")]), to: .token("t"))
        }
        #expect(error?.kind == .reservedDataKey)
        #expect(error?.message == "Invalid data payload key: \(key)")
    }

    @Test(arguments: [
        "collapse_key", "notification", "priority", "to", "fromage", "From", "gcmId", "googleMaps", "message_types", "",
        "time_to_live", "ключ",
    ]) func `are the sender's everywhere else`(key: String) throws {
        try MessageValidator().validate(Message(data: [.init(key: key, value: "x")]), to: .token("t"))
    }
}

@Suite struct `What an Apple payload may hold` {
    func validate(_ payload: JSONObject, headers: [Message.DataEntry] = [], liveActivity: String? = nil) throws {
        let apns = APNsOptions(headers: headers, payload: payload, liveActivityToken: liveActivity)
        try MessageValidator().validate(Message(apns: apns), to: .token("t"))
    }

    static let good: [JSONObject] = [
        ["aps": ["badge": 0], "ticket": "42"],
        ["aps": ["alert": "text"]],
        ["aps": ["alert": ["title": "t", "loc-key": "k", "loc-args": ["a", "b"], "custom": nil]]],
        ["aps": ["sound": "default"]],
        ["aps": ["sound": ["critical": 1, "name": "siren.caf", "volume": 0.8]]],
        ["aps": ["content-available": 1]],
        ["aps": ["content-available": true]],
        ["aps": ["alert": "a", "interruption-level": "critical", "relevance-score": 0.5, "x": nil], "n": nil],
        ["aps": ["alert": "a", "unknown-key": [1, "2", nil]]],
    ]

    @Test(arguments: good) func `is anything that does something`(payload: JSONObject) throws {
        try validate(payload)
    }

    @Test func `need not show anything when its push type says more`() throws {
        try validate(["aps": [:]], headers: [.init(key: "apns-push-type", value: "voip")])
        try validate(["aps": ["content-changed": true]], headers: [.init(key: "apns-push-type", value: "widgets")])
        #expect(throws: SendError.self) {
            try validate(["aps": [:]], headers: [.init(key: "apns-push-type", value: "alert")])
        }
    }

    @Test func `is a state for a live activity, whose texts may be dictionaries`() throws {
        let aps: JSONValue = [
            "timestamp": 1_700_000_000, "event": "update", "content-state": ["score": 3],
            "alert": ["title": ["loc-key": "k", "loc-args": ["a"]], "body": "b"],
        ]
        try validate(["aps": aps], liveActivity: "abcd")
        #expect(throws: SendError.self) { try validate(["aps": aps]) }
        #expect(throws: SendError.self) { try validate(["aps": ["event": 1]], liveActivity: "abcd") }
    }
}
