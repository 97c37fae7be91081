import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Messages for the device channel` {
    typealias World = DirectChannelWorld
    static let id = DeliveryID(value: 0x2a)

    private func translate(
        _ message: Message, for recipient: Registration = World.recipient(), target: SendTarget = .token("t"),
        in world: World = World()
    ) throws -> DeviceMessage {
        try world.translator.translate(Sample.message(message, target: target), as: Self.id, for: recipient)
    }

    private func data(_ message: Message, for recipient: Registration = World.recipient()) throws -> [[String]] {
        try translate(message, for: recipient).data.map { [$0.key, $0.value] }
    }

    // MARK: What all have

    @Test func `say whom they are from and for, when they were sent and how long they live`() throws {
        let message = try translate(
            Message(android: AndroidOptions(collapseKey: "k", timeToLive: TimeToLive(seconds: 60))))
        #expect(message.persistentID == "0:1700000000000001%000000000000002a")
        #expect(message.from == "123456789012")
        #expect(message.category == "com.example.app")
        #expect(message.collapseKey == "k")
        #expect(message.timeToLiveSeconds == 60)
        #expect(message.sentAt == Sample.acceptedAt)
        #expect(message.rawData == nil)
    }

    @Test func `to a topic are from the topic`() throws {
        let news = try #require(TopicName("news"))
        #expect(try translate(Message(), target: .topic(news)).from == "/topics/news")
        #expect(try translate(Message(), target: .condition(.member(news))).from == "123456789012")
    }

    @Test func `that are now or never have no name to acknowledge`() throws {
        let message = try translate(Message(android: AndroidOptions(timeToLive: TimeToLive(seconds: 0))))
        #expect(message.persistentID.isEmpty && message.timeToLiveSeconds == 0)
    }

    static let urgencies: [(message: Message, isUrgent: Bool)] = [
        (Message(), false), (Message(data: Sample.data(("k", "v"))), false),
        (Message(notification: .init()), true), (Message(android: AndroidOptions(notification: [:])), true),
        (Message(notification: .init(), android: AndroidOptions(priority: .normal)), false),
        (Message(android: AndroidOptions(priority: .high)), true),
    ]

    @Test(arguments: urgencies) func `are urgent when the user sees them or the sender says so`(
        row: (message: Message, isUrgent: Bool)
    ) throws {
        #expect(try translate(row.message).isUrgent == row.isUrgent)
    }

    static let appleUrgencies: [(message: Message, isUrgent: Bool)] = [
        (Message(apns: APNsOptions(headers: Sample.headers(("apns-priority", "10")))), true),
        (Message(apns: APNsOptions(headers: Sample.headers(("apns-priority", "5")))), false),
        (Message(apns: APNsOptions(headers: Sample.headers(("apns-priority", "1")))), false),
        (Message(android: AndroidOptions(priority: .high)), true),
        (
            Message(
                apns: APNsOptions(headers: Sample.headers(("apns-priority", "5"))),
                android: AndroidOptions(priority: .high)), false
        ),
    ]

    @Test(arguments: appleUrgencies) func `for an Apple app are as urgent as they are for APNs`(
        row: (message: Message, isUrgent: Bool)
    ) throws {
        #expect(try translate(row.message, for: World.recipient(channel: .apple(nil))).isUrgent == row.isUrgent)
        if row.message.android == nil { #expect(try !translate(row.message).isUrgent) }
    }

    // MARK: Android

    static let sender = ["google.c.sender.id", "123456789012"]
    static let shown = ["google.c.a.e", "1"]

    @Test func `carry the data, Android's own before the common`() throws {
        let common = Sample.data(("a", "1"), ("b", ""))
        #expect(try data(Message(data: common)) == [["a", "1"], ["b", ""], Self.sender])
        let own = Message(data: common, android: AndroidOptions(data: Sample.data(("c", "2"))))
        #expect(try data(own) == [["c", "2"], Self.sender])
        #expect(try data(Message(data: common, android: AndroidOptions(data: []))) == [Self.sender])
    }

    @Test func `carry the notification, Android's members before the common`() throws {
        let message = Message(
            notification: .init(title: "T", body: "B", image: "I"),
            android: AndroidOptions(notification: ["body": "AB", "icon": "i"]))
        #expect(
            try data(message) == [
                ["gcm.n.e", "1"], ["gcm.n.body", "AB"], ["gcm.n.icon", "i"], ["gcm.n.title", "T"],
                ["gcm.n.image", "I"],
                Self.sender, Self.shown,
            ])
        #expect(try data(Message(notification: .init())) == [["gcm.n.e", "1"], Self.sender, Self.shown])
    }

    @Test func `carry the label, Android's before the common`() throws {
        let common = AnalyticsLabel("all")
        let label = ["google.c.a.m_l", "all"]
        #expect(try data(Message(analyticsLabel: common)) == [Self.sender, Self.shown, label])
        let own = Message(android: AndroidOptions(analyticsLabel: AnalyticsLabel("own")), analyticsLabel: common)
        #expect(try data(own) == [Self.sender, Self.shown, ["google.c.a.m_l", "own"]])
    }

    static let members: [(name: String, value: JSONValue, entry: [String]?)] = [
        ("title", "t", ["gcm.n.title", "t"]), ("title", "", ["gcm.n.title", ""]), ("title", nil, nil),
        ("sound", "s", ["gcm.n.sound2", "s"]), ("channel_id", "c", ["gcm.n.android_channel_id", "c"]),
        ("color", "#aabbcc", ["gcm.n.color", "#aabbcc"]), ("click_action", "c", ["gcm.n.click_action", "c"]),
        ("body_loc_key", "k", ["gcm.n.body_loc_key", "k"]),
        ("body_loc_args", ["a", "\""], ["gcm.n.body_loc_args", #"["a","\""]"#]),
        ("title_loc_args", [], ["gcm.n.title_loc_args", "[]"]),
        ("sticky", true, ["gcm.n.sticky", "1"]), ("local_only", false, ["gcm.n.local_only", "0"]),
        ("default_sound", true, ["gcm.n.default_sound", "1"]),
        ("notification_count", 3, ["gcm.n.notification_count", "3"]),
        ("notification_priority", "PRIORITY_MIN", ["gcm.n.notification_priority", "-2"]),
        ("notification_priority", "PRIORITY_DEFAULT", ["gcm.n.notification_priority", "0"]),
        ("notification_priority", "PRIORITY_MAX", ["gcm.n.notification_priority", "2"]),
        ("notification_priority", "PRIORITY_UNSPECIFIED", nil), ("notification_priority", 1, nil),
        ("visibility", "SECRET", ["gcm.n.visibility", "-1"]), ("visibility", "PRIVATE", ["gcm.n.visibility", "0"]),
        ("visibility", "PUBLIC", ["gcm.n.visibility", "1"]), ("visibility", "VISIBILITY_UNSPECIFIED", nil),
        ("event_time", "2023-11-14T22:13:20.5Z", ["gcm.n.event_time", "1700000000500"]), ("event_time", "noon", nil),
        ("vibrate_timings", ["3s", "0.5s", "1.0625s"], ["gcm.n.vibrate_timings", "[3000,500,1062]"]),
        ("vibrate_timings", [], nil), ("vibrate_timings", ["3s", "x"], nil), ("vibrate_timings", ["3"], nil),
        ("vibrate_timings", ["1.2.3s"], nil), ("vibrate_timings", ["-1s"], nil), ("vibrate_timings", ["s"], nil),
        ("vibrate_timings", ["99999999999999999999s"], nil), ("vibrate_timings", [1], nil),
        (
            "light_settings",
            ["color": ["red": 1, "green": 0.5], "light_on_duration": "1s", "light_off_duration": "0.25s"],
            ["gcm.n.light_settings", ##"["#FFFF8000",1000,250]"##]
        ),
        (
            "light_settings",
            ["color": ["alpha": 0, "blue": 7], "light_on_duration": "0s", "light_off_duration": "2s"],
            ["gcm.n.light_settings", ##"["#000000FF",0,2000]"##]
        ),
        ("light_settings", ["color": [:], "light_on_duration": "1s"], nil), ("light_settings", "x", nil),
        ("proxy", "DENY", ["gcm.n.dnp", "1"]), ("proxy", "ALLOW", nil), ("proxy", "IF_PRIORITY_LOWERED", nil),
        ("bypass_proxy_notification", true, ["gcm.n.dnp", "1"]), ("bypass_proxy_notification", false, nil),
    ]

    @Test(arguments: members) func `carry each member in the form that the SDK reads`(
        row: (name: String, value: JSONValue, entry: [String]?)
    ) throws {
        var notification = JSONObject()
        notification[row.name] = row.value
        let entries = try data(Message(android: AndroidOptions(notification: notification)))
        let expected = [["gcm.n.e", "1"]] + [row.entry].compactMap(\.self) + [Self.sender, Self.shown]
        #expect(entries == expected)
    }

    @Test func `name a browser's site, but not an app's sender`() throws {
        let site = World.recipient(subtype: "wp:https://example.com/#1")
        #expect(try data(Message(), for: site) == [Self.sender, ["subtype", "wp:https://example.com/#1"]])
        #expect(try data(Message(), for: World.recipient(subtype: "123456789012")) == [Self.sender])
    }

    // MARK: Apple

    @Test func `to an Apple app carry data and payload, the payload before the data`() throws {
        let message = Message(
            data: Sample.data(("a", "1"), ("b", "2")),
            apns: APNsOptions(payload: ["aps": ["content-available": 1], "b": "payload", "c": "3"]))
        let translated = try translate(message, for: World.recipient(channel: .apple(nil)))
        #expect(
            translated.data.map { [$0.key, $0.value] } == [
                ["a", "1"], ["b", "payload"], ["c", "3"], ["gcm.message_id", "1700000000000001"], ["gcm.duplex", "1"],
            ])
    }

    // MARK: Encrypted

    @Test func `encrypted with all parameters in the body`() throws {
        let content = EncryptedContent(body: [1, 2], contentEncoding: "aes128gcm", from: "BKey", topic: "t")
        let recipient = World.recipient(subtype: "wp:site", sender: "BKey")
        let message = try translate(Message(encrypted: content), for: recipient)
        #expect(message.from == "BKey" && message.rawData == [1, 2] && message.collapseKey == "t")
        #expect(message.data == Sample.data(("content-encoding", "aes128gcm"), ("subtype", "wp:site")))
    }

    @Test func `encrypted with parameters beside the body, as they were sent`() throws {
        let content = EncryptedContent(
            body: [1], contentEncoding: "aesgcm", cryptoKey: "dh=a;p256ecdsa=b", encryption: "salt=c", from: "")
        let message = try translate(Message(encrypted: content))
        #expect(message.from == "123456789012")
        #expect(message.data == Sample.data(("crypto-key", "dh=a;p256ecdsa=b"), ("encryption", "salt=c")))
    }

    // MARK: Web

    private func webApp(in world: World, key: String = "k") async throws -> Registration {
        let browser = try await world.store.register(
            RegistrationDraft(
                project: Sample.project().number, app: nil, fid: "", bundleID: "org.chromium.linux", channel: .device,
                isFIDMode: false, androidID: 77, time: Sample.acceptedAt, freshNonce: 5))
        return World.recipient(
            9,
            channel: .web(
                endpoint: "https://push.example/" + world.tokens.token(of: browser), p256dh: key, auth: "a",
                applicationKey: "BKey"), device: 0)
    }

    @Test func `to a web app are sealed for it and addressed to its browser`() async throws {
        let world = World()
        let recipient = try await webApp(in: world)
        let message = try translate(Message(data: Sample.data(("k", "v"))), for: recipient, in: world)
        #expect(message.category == "org.chromium.linux" && message.from == "BKey")
        #expect(message.data == Sample.data(("crypto-key", "dh=k"), ("encryption", "salt=s")))
        let payload = try JSONValue(parsing: Array((message.rawData ?? []).reversed()))
        #expect(payload["data"]?["k"] == "v")
    }

    @Test func `to a web app without its browser, or with keys that are none, cannot be`() async throws {
        let world = World()
        let badKeys = try await webApp(in: world, key: "bad")
        #expect { try translate(Message(), for: badKeys, in: world) } throws: {
            ($0 as? SendError)?.kind == .thirdPartyAuthentication
        }
        let stranger = World.recipient(
            channel: .web(endpoint: "https://push.example/x", p256dh: "", auth: "", applicationKey: ""))
        #expect { try translate(Message(), for: stranger, in: world) } throws: {
            ($0 as? SendError)?.kind == .unregistered
        }
    }

    // MARK: Notes

    @Test func `a note says how many were dropped, and nothing else`() {
        let world = World()
        let time = MessageID(value: 1_700_000_000_123_000)
        let note = world.translator.note(
            of: 101, as: Self.id, for: World.recipient(subtype: "wp:site", sender: ""), at: time)
        #expect(note.persistentID == "0:1700000000123000%000000000000002a")
        #expect(note.from == "123456789012" && note.category == "com.example.app")
        #expect(note.rawData == nil && note.collapseKey == nil)
        #expect(note.sentAt == Timestamp(milliseconds: 1_700_000_000_123))
        #expect(
            note.data
                == Sample.data(("message_type", "deleted_messages"), ("total_deleted", "101"), ("subtype", "wp:site")))
    }
}
