import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

struct GoldenPush: Sendable, CustomTestStringConvertible {
    var name: String
    var message: Message
    var type = "alert"
    var priority = "10"
    var expiration = "1702592000"
    var collapseID: String?
    var topic = "com.example.app"
    var payload: String

    var testDescription: String { name }
}

struct RefusedMessage: Sendable, CustomTestStringConvertible {
    var name: String
    var message: Message
    var kind: SendError.Kind
    var reason: String?

    var testDescription: String { name }
}

@Suite struct `Apple push translator` {
    static let notification = Message.Notification(title: "A", body: "B")
    static let alert = #""alert":{"title":"A","body":"B"}"#

    static let golden = [
        GoldenPush(
            name: "1: notification", message: Message(notification: notification),
            payload: #"{"aps":{\#(alert)},…}"#),
        GoldenPush(
            name: "2: data only", message: Message(data: Sample.data(("k", "v"))), type: "background", priority: "5",
            payload: #"{"aps":{"content-available":1},"k":"v",…}"#),
        GoldenPush(
            name: "3: aps without alert keeps the common text",
            message: Message(
                notification: notification, apns: APNsOptions(payload: ["aps": ["badge": 3, "sound": "default"]])),
            payload: #"{"aps":{"badge":3,"sound":"default",\#(alert)},…}"#),
        GoldenPush(
            name: "4: aps.alert text wins",
            message: Message(notification: notification, apns: APNsOptions(payload: ["aps": ["alert": "X"]])),
            payload: #"{"aps":{"alert":"X"},…}"#),
        GoldenPush(
            name: "5: headers",
            message: Message(
                notification: notification,
                apns: APNsOptions(
                    headers: Sample.headers(
                        ("apns-priority", "5"), ("apns-collapse-id", "s1"), ("apns-expiration", "0")))),
            priority: "5", expiration: "0", collapseID: "s1", payload: #"{"aps":{\#(alert)},…}"#),
        GoldenPush(
            name: "6: image and label",
            message: Message(
                notification: notification,
                apns: APNsOptions(image: "https://e/i.png", analyticsLabel: AnalyticsLabel("L"))),
            payload:
                #"{"aps":{\#(alert),"mutable-content":1},"fcm_options":{"image":"https://e/i.png"},"google.c.a.m_l":"L",…}"#
        ),
        GoldenPush(
            name: "7: live activity",
            message: Message(
                notification: notification,
                apns: APNsOptions(
                    payload: ["aps": ["timestamp": 1, "event": "update", "content-state": ["n": 1]]],
                    liveActivityToken: "T")),
            type: "liveactivity", topic: "com.example.app.push-type.liveactivity",
            payload: #"{"aps":{"timestamp":1,"event":"update","content-state":{"n":1}},…}"#),
        GoldenPush(
            name: "empty message is a silent push", message: Message(), type: "background", priority: "5",
            payload: #"{"aps":{"content-available":1},…}"#),
        GoldenPush(
            name: "badge 0 alone is visible",
            message: Message(apns: APNsOptions(payload: ["ticket": "42", "aps": ["badge": 0]])),
            payload: #"{"ticket":"42","aps":{"badge":0},…}"#),
        GoldenPush(
            name: "critical sound passes unchanged",
            message: Message(
                apns: APNsOptions(payload: ["aps": ["sound": ["critical": 1, "name": "s.caf", "volume": 0.8]]])),
            payload: #"{"aps":{"sound":{"critical":1,"name":"s.caf","volume":0.8}},…}"#),
        GoldenPush(
            name: "blank texts do not make a silent push visible",
            message: Message(
                apns: APNsOptions(payload: ["aps": ["alert": "", "sound": "", "content-available": 1]])),
            type: "background", priority: "5", payload: #"{"aps":{"content-available":1},…}"#),
        GoldenPush(
            name: "content-available true becomes 1",
            message: Message(apns: APNsOptions(payload: ["aps": ["content-available": true]])), type: "background",
            priority: "5", payload: #"{"aps":{"content-available":1},…}"#),
        GoldenPush(
            name: "silent urgency is lowered",
            message: Message(apns: APNsOptions(headers: Sample.headers(("apns-priority", "10")))),
            type: "background", priority: "5", payload: #"{"aps":{"content-available":1},…}"#),
        GoldenPush(
            name: "localised keys replace plain ones one by one",
            message: Message(
                notification: notification,
                apns: APNsOptions(payload: ["aps": ["alert": ["loc-key": "K", "loc-args": ["a"]]]])),
            payload: #"{"aps":{"alert":{"loc-key":"K","loc-args":["a"],"title":"A"}},…}"#),
        GoldenPush(
            name: "platform payload wins over data",
            message: Message(
                data: Sample.data(("k", "common"), ("l", "2")), notification: notification,
                apns: APNsOptions(payload: ["k": ["own": true]])),
            payload: #"{"aps":{\#(alert)},"k":{"own":true},"l":"2",…}"#),
        GoldenPush(
            name: "image joins the sender's fcm_options",
            message: Message(
                notification: Message.Notification(title: "A", image: "https://e/n.png"),
                apns: APNsOptions(payload: ["fcm_options": ["x": 1]])),
            payload:
                #"{"aps":{"alert":{"title":"A"},"mutable-content":1},"fcm_options":{"x":1,"image":"https://e/n.png"},…}"#
        ),
        GoldenPush(
            name: "data named fcm_options gives way to an image",
            message: Message(
                data: [.init(key: "fcm_options", value: "z"), .init(key: "k", value: "1")],
                notification: Message.Notification(title: "A", image: "https://e/n.png")),
            payload:
                #"{"aps":{"alert":{"title":"A"},"mutable-content":1},"fcm_options":{"image":"https://e/n.png"},"k":"1",…}"#
        ),
        GoldenPush(
            name: "service keys cannot be forged",
            message: Message(notification: notification, apns: APNsOptions(payload: ["google.c.a.e": "0", "x": 1])),
            payload: #"{"aps":{\#(alert)},"x":1,…}"#),
        GoldenPush(
            name: "VoIP topic",
            message: Message(
                data: Sample.data(("k", "v")),
                apns: APNsOptions(headers: Sample.headers(("apns-push-type", "voip"), ("authorization", "bearer x")))),
            type: "voip", topic: "com.example.app.voip", payload: #"{"aps":{},"k":"v",…}"#),
        GoldenPush(
            name: "text stays UTF-8",
            message: Message(notification: Message.Notification(title: "é😀/\u{1}\"")),
            payload: #"{"aps":{"alert":{"title":"é😀/\u0001\""}},…}"#),
    ]

    @Test(arguments: golden) func `renders headers and payload exactly`(golden: GoldenPush) throws {
        let template = try ApplePushTranslator().template(of: Sample.message(golden.message))
        let push = try template.push(to: Sample.registration(), at: Sample.address(), pushID: "id")
        #expect(
            String(decoding: push.payload, as: UTF8.self)
                == golden.payload.replacing("…", with: Sample.serviceKeys))
        #expect(push.header("apns-push-type") == golden.type)
        #expect(push.header("apns-priority") == golden.priority)
        #expect(push.header("apns-expiration") == golden.expiration)
        #expect(push.header("apns-collapse-id") == golden.collapseID)
        #expect(push.header("apns-topic") == golden.topic)
        #expect(push.header("authorization") == nil)
    }

    static let refused = [
        RefusedMessage(
            name: "8: data key aps", message: Message(data: Sample.data(("aps", "x"))), kind: .reservedDataKey),
        RefusedMessage(
            name: "9: data key google.x", message: Message(data: Sample.data(("google.x", "1"))),
            kind: .reservedDataKey),
        RefusedMessage(
            name: "data key from", message: Message(data: Sample.data(("from", "1"))), kind: .reservedDataKey),
        RefusedMessage(
            name: "data key gcm.notification.x", message: Message(data: Sample.data(("gcm.notification.x", "1"))),
            kind: .reservedDataKey),
        RefusedMessage(
            name: "10: silent with priority 10",
            message: Message(
                data: Sample.data(("k", "v")), apns: APNsOptions(headers: Sample.headers(("apns-priority", "10")))),
            kind: .invalidArgument, reason: "BadPriority"),
        RefusedMessage(
            name: "priority 7", message: Message(apns: APNsOptions(headers: Sample.headers(("apns-priority", "7")))),
            kind: .invalidArgument, reason: "BadPriority"),
        RefusedMessage(
            name: "expiration with a fraction",
            message: Message(apns: APNsOptions(headers: Sample.headers(("apns-expiration", "1.5")))),
            kind: .invalidArgument, reason: "BadExpirationDate"),
        RefusedMessage(
            name: "collapse id of 65 bytes",
            message: Message(
                apns: APNsOptions(headers: Sample.headers(("apns-collapse-id", String(repeating: "é", count: 33))))),
            kind: .invalidArgument, reason: "BadCollapseId"),
        RefusedMessage(
            name: "apns-id that is no UUID",
            message: Message(apns: APNsOptions(headers: Sample.headers(("apns-id", "42")))), kind: .invalidArgument,
            reason: "BadMessageId"),
        RefusedMessage(
            name: "header of two lines",
            message: Message(apns: APNsOptions(headers: Sample.headers(("apns-topic", "a\nb")))),
            kind: .invalidArgument),
        RefusedMessage(
            name: "aps is text", message: Message(apns: APNsOptions(payload: ["aps": "x"])), kind: .invalidArgument),
        RefusedMessage(
            name: "live activity token with a slash",
            message: Message(apns: APNsOptions(liveActivityToken: "../x")), kind: .invalidArgument),
        RefusedMessage(
            name: "4,400 bytes of emoji",
            message: Message(data: Sample.data(("blob", String(repeating: "😀", count: 1_100)))), kind: .messageTooBig),
    ]

    @Test(arguments: refused) func `refuses what APNs would`(row: RefusedMessage) {
        let error = #expect(throws: SendError.self) {
            try ApplePushTranslator(silentUrgency: .refuse).check(
                Sample.message(row.message), for: Sample.registration())
        }
        #expect(error?.kind == row.kind)
        #expect(error?.apns?.reason == row.reason)
    }

    @Test func `counts the payload to the last byte`() throws {
        let translator = ApplePushTranslator()
        func message(_ count: Int, type: String) -> ValidatedMessage {
            Sample.message(
                Message(
                    data: Sample.data(("b", String(repeating: "x", count: count))),
                    apns: APNsOptions(headers: Sample.headers(("apns-push-type", type)))))
        }
        for (type, limit) in [("alert", 4_096), ("voip", 5_120)] {
            let empty = try translator.template(of: message(0, type: type)).push(
                to: Sample.registration(), at: Sample.address(), pushID: "id")
            let room = limit - empty.payload.count
            try translator.check(message(room, type: type), for: Sample.registration())
            #expect(throws: SendError(.messageTooBig, "iOS message is too big")) {
                try translator.check(message(room + 1, type: type), for: Sample.registration())
            }
        }
    }

    @Test func `says the topic in topic messages`() throws {
        let topic = try #require(TopicName("news"))
        let template = try ApplePushTranslator().template(of: Sample.message(Message(), target: .topic(topic)))
        let push = try template.push(to: Sample.registration(), at: Sample.address(), pushID: "id")
        let payload = try JSONValue(parsing: push.payload)
        #expect(payload["from"]?.string == "/topics/news")
    }

    @Test func `leaves out the FID of clients that have none`() throws {
        let template = try ApplePushTranslator().template(of: Sample.message(Message()))
        let push = try template.push(to: Sample.registration(fid: ""), at: Sample.address(), pushID: "id")
        #expect(try JSONValue(parsing: push.payload)["google.c.fid"] == nil)
    }

    @Test func `gives a device its own path and the sender's apns-id only to a single device`() throws {
        let id = "EABEAE54-14A8-11E5-B60B-1697F925EC7B"
        let message = Message(apns: APNsOptions(headers: Sample.headers(("apns-id", id))))
        let topic = try #require(TopicName("news"))
        let single = try ApplePushTranslator().template(of: Sample.message(message))
            .push(to: Sample.registration(), at: Sample.address(.sandbox), pushID: "own")
        let many = try ApplePushTranslator().template(of: Sample.message(message, target: .topic(topic)))
            .push(to: Sample.registration(), at: Sample.address(), pushID: "own")
        #expect(single.pathToken == Sample.deviceToken && single.environment == .sandbox)
        #expect(single.header("apns-id") == id.lowercased())
        #expect(many.header("apns-id") == "own")
    }

    @Test func `sends a live activity to its own token`() throws {
        let message = Message(apns: APNsOptions(liveActivityToken: "ABCD"))
        let push = try ApplePushTranslator().template(of: Sample.message(message))
            .push(to: Sample.registration(), at: Sample.address(), pushID: "id")
        #expect(push.pathToken == "abcd")
    }

    @Test func `tries until the expiration, and once when there is none to store`() throws {
        func expiry(_ expiration: String?) throws -> Int64 {
            let headers = expiration.map { Sample.headers(("apns-expiration", $0)) } ?? []
            let message = Message(apns: APNsOptions(headers: headers))
            return try ApplePushTranslator().template(of: Sample.message(message)).expiresAt.seconds
        }
        let start = Sample.acceptedAt.seconds
        #expect(try expiry(nil) == start + 2_592_000)
        #expect(try expiry("0") == start + 60)
        #expect(try expiry("\(start - 5)") == start + 60)
        #expect(try expiry("\(start + 5)") == start + 5)
        #expect(try expiry("9223372036854775807") == start + 2_592_000)
    }
}
