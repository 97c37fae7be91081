import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Browser push translator` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var message: Message
        var target = SendTarget.token("t")
        var payload: JSONValue

        init(_ name: String, _ message: Message, to target: SendTarget = .token("t"), _ members: JSONObject) {
            testDescription = name
            self.message = message
            self.target = target
            var payload: JSONObject = [
                "from": "123456789012", "collapse_key": "do_not_collapse", "fcmMessageId": "1700000000000001",
                "productId": 111_881_503,
            ]
            for member in members { payload[member.name] = member.value }
            self.payload = .object(payload)
        }
    }

    static let common = Message.Notification(title: "A", body: "B", image: "https://a.example/i.png")

    static let rows = [
        Row("nothing", Message(), [:]),
        Row("data", Message(data: Sample.data(("k", "v"), ("l", ""))), ["data": ["k": "v", "l": ""]]),
        Row(
            "the common notification", Message(notification: common),
            ["notification": ["title": "A", "body": "B", "image": "https://a.example/i.png"]]),
        Row("an empty notification", Message(notification: .init()), ["notification": [:]]),
        Row(
            "the web part's text wins, the rest of both stays",
            Message(
                notification: common,
                webpush: WebPushOptions(notification: [
                    "body": "W", "icon": "i.png", "actions": [["action": "a", "title": "T"]],
                    "requireInteraction": true, "data": ["x": 1],
                ])),
            [
                "notification": [
                    "title": "A", "body": "W", "image": "https://a.example/i.png", "icon": "i.png",
                    "actions": [["action": "a", "title": "T"]], "requireInteraction": true, "data": ["x": 1],
                ]
            ]),
        Row(
            "only the web part's notification", Message(webpush: WebPushOptions(notification: ["title": "W"])),
            ["notification": ["title": "W"]]),
        Row(
            "the web part's data replaces the common data",
            Message(data: Sample.data(("k", "v")), webpush: WebPushOptions(data: Sample.data(("w", "x")))),
            ["data": ["w": "x"]]),
        Row(
            "also when it is empty", Message(data: Sample.data(("k", "v")), webpush: WebPushOptions(data: [])), [:]),
        Row(
            "link and label",
            Message(
                webpush: WebPushOptions(link: "https://a.example/", analyticsLabel: AnalyticsLabel("web")),
                analyticsLabel: AnalyticsLabel("all")),
            ["fcmOptions": ["link": "https://a.example/", "analytics_label": "web"]]),
        Row(
            "the common label", Message(webpush: WebPushOptions(link: ""), analyticsLabel: AnalyticsLabel("all")),
            ["fcmOptions": ["analytics_label": "all"]]),
        Row(
            "a topic", Message(), to: .topic(Sample.topic), ["from": "/topics/news"]),
        Row(
            "collapse keys", Message(android: AndroidOptions(collapseKey: "c")), ["collapse_key": "c"]),
        Row(
            "a push topic as collapse key",
            Message(webpush: WebPushOptions(headers: Sample.headers(("topic", "t-1")))), ["collapse_key": "t-1"]),
        Row("parts of other platforms", Message(apns: APNsOptions(payload: ["aps": ["badge": 1]])), [:]),
    ]

    @Test(arguments: rows) func `renders`(row: Row) throws {
        let push = try BrowserPushTranslator().push(Sample.message(row.message, target: row.target))
        #expect(try JSONValue(parsing: push.payload) == row.payload)
    }

    @Test func `takes time to live, urgency and topic from the web part's headers`() throws {
        let accepted = Sample.acceptedAt
        let rows: [(headers: [Message.DataEntry], expected: (Int64, Bool, String?, String?))] = [
            ([], (2_419_200, false, nil, nil)),
            (Sample.headers(("ttl", "60")), (60, false, nil, nil)),
            (Sample.headers(("ttl", "0")), (60, true, nil, nil)),
            (Sample.headers(("ttl", "2419200"), ("urgency", "very-low")), (2_419_200, false, "very-low", nil)),
            (Sample.headers(("TTL", "5"), ("Urgency", "high"), ("Topic", "a_B-9")), (5, false, "high", "a_B-9")),
            (Sample.headers(("ttl", "5"), ("ttl", "6")), (6, false, nil, nil)),
            (Sample.headers(("authorization", "x"), ("content-encoding", "y")), (2_419_200, false, nil, nil)),
        ]
        for row in rows {
            let push = try BrowserPushTranslator().push(
                Sample.message(Message(webpush: WebPushOptions(headers: row.headers))))
            #expect(push.expiresAt == accepted.adding(seconds: row.expected.0), "\(row.headers)")
            #expect(push.isOnlyForNow == row.expected.1)
            #expect(push.urgency == row.expected.2)
            #expect(push.topic == row.expected.3)
        }
    }

    @Test func `takes time to live and priority of the older dialects when the web part has none`() throws {
        let android = AndroidOptions(priority: .high, timeToLive: TimeToLive(seconds: 7))
        let push = try BrowserPushTranslator().push(Sample.message(Message(android: android)))
        #expect(push.expiresAt == Sample.acceptedAt.adding(seconds: 7) && push.urgency == "high")
        let webpush = WebPushOptions(headers: Sample.headers(("ttl", "9"), ("urgency", "low")))
        let other = try BrowserPushTranslator().push(Sample.message(Message(android: android, webpush: webpush)))
        #expect(other.expiresAt == Sample.acceptedAt.adding(seconds: 9) && other.urgency == "low")
    }

    @Test(arguments: ["", " ", "a b", "a/b", "a=", "ä", String(repeating: "a", count: 33), "a\r\nb: c"])
    func `refuses topics that no push service takes`(topic: String) {
        let message = Message(webpush: WebPushOptions(headers: Sample.headers(("topic", topic))))
        let error = #expect(throws: SendError.self) { try BrowserPushTranslator().push(Sample.message(message)) }
        #expect(error?.kind == .invalidArgument)
    }

    @Test func `refuses what does not fit a push service's limit, to the byte`() throws {
        func message(_ count: Int) -> ValidatedMessage {
            Sample.message(Message(data: Sample.data(("k", String(repeating: "x", count: count)))))
        }
        let room = 3_992 - (try BrowserPushTranslator().push(message(0))).payload.count
        #expect(try BrowserPushTranslator().push(message(room)).payload.count == 3_992)
        let error = #expect(throws: SendError.self) { try BrowserPushTranslator().push(message(room + 1)) }
        #expect(error?.kind == .messageTooBig)
    }
}

@Suite struct `Answers of push services` {
    struct Row: Sendable {
        var status: Int
        var retryAfter: Int64?
        var answer: String
    }

    @Test(arguments: [
        Row(status: 200, answer: "accepted"), Row(status: 201, answer: "accepted"),
        Row(status: 202, answer: "accepted"),
        Row(status: 404, answer: "unregistered"), Row(status: 410, answer: "unregistered"),
        Row(status: 401, answer: "thirdPartyAuthentication"), Row(status: 403, answer: "thirdPartyAuthentication"),
        Row(status: 413, answer: "messageTooBig"), Row(status: 400, answer: "invalidArgument"),
        Row(status: 301, answer: "invalidArgument"), Row(status: 307, answer: "invalidArgument"),
        Row(status: 0, answer: "invalidArgument"), Row(status: 999, answer: "invalidArgument"),
        Row(status: 429, answer: "retry 0"), Row(status: 429, retryAfter: 7, answer: "retry 7000"),
        Row(status: 503, retryAfter: -1, answer: "retry 0"), Row(status: 500, answer: "retry 0"),
        Row(status: 502, retryAfter: .max, answer: "retry 2419200000"), Row(status: 408, answer: "retry 0"),
    ]) func `say what becomes of the push`(row: Row) {
        let answer = GatewayAnswer(webPushStatus: row.status, location: "/m/1", retryAfterSeconds: row.retryAfter)
        let text =
            switch answer {
            case .accepted(let id): id == "/m/1" ? "accepted" : "accepted without a place"
            case .rejected(let error): "\(error.kind)"
            case .retry(let milliseconds, _): "retry \(milliseconds)"
            case .unregistered: "unregistered"
            }
        #expect(text == row.answer)
    }
}
