import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import LegacyAPI

/// A legacy message and the push that APNs gets of it.
struct LegacyGolden: Sendable, CustomTestStringConvertible {
    var name: String
    var body: String
    var type = "alert"
    var priority = "10"
    var expiration = "1702419200"
    var collapseID: String?
    /// Without the members that the service adds.
    var payload: String

    var testDescription: String { name }
}

@Suite struct `Legacy messages for Apple devices` {
    static let first = #""notification":{"title":"T","body":"B","sound":"default","badge":"2","click_action":"CAT"}"#
    static let firstAPS = #""sound":"default","badge":2,"category":"CAT","alert":{"title":"T","body":"B"}"#

    static let golden = [
        LegacyGolden(
            name: "L1: texts, sound, badge as text, category", body: "{\(first)}", payload: #"{"aps":{\#(firstAPS)}}"#),
        LegacyGolden(
            name: "L2: arguments inside a text",
            body: #"{"notification":{"body_loc_key":"K","body_loc_args":"[\"a\"]"}}"#,
            payload: #"{"aps":{"alert":{"loc-key":"K","loc-args":["a"]}}}"#),
        LegacyGolden(
            name: "L3: a silent push is not urgent",
            body: #"{"content_available":true,"data":{"k":"v"},"priority":"high"}"#, type: "background",
            priority: "5", payload: #"{"aps":{"content-available":1},"k":"v"}"#),
        LegacyGolden(
            name: "L4: options",
            body: #"{\#(first),"mutable_content":true,"time_to_live":0,"collapse_key":"c"}"#, expiration: "0",
            collapseID: "c", payload: #"{"aps":{\#(firstAPS),"mutable-content":1}}"#),
        LegacyGolden(
            name: "L5: members that nobody knows", body: #"{"notification":{"title":"t","foo":"x"}}"#,
            payload: #"{"aps":{"alert":{"title":"t"}},"gcm.notification.foo":"x"}"#),
        LegacyGolden(
            name: "data alone wakes the app", body: #"{"data":{"k":"v"}}"#, type: "background", priority: "5",
            payload: #"{"aps":{"content-available":1},"k":"v"}"#),
        LegacyGolden(
            name: "a normal notification", body: #"{"notification":{"body":"b"},"priority":"normal"}"#, priority: "5",
            payload: #"{"aps":{"alert":{"body":"b"}}}"#),
        LegacyGolden(
            name: "every text, in the words of Apple",
            body: #"{"notification":{"title_loc_key":"TK","title_loc_args":[1,"b"],"subtitle":"s","thread_id":"th"}}"#,
            payload:
                #"{"aps":{"alert":{"title-loc-key":"TK","title-loc-args":["1","b"],"subtitle":"s"},"thread-id":"th"}}"#),
        LegacyGolden(
            name: "Android's members travel for the app's own use",
            body: #"{"notification":{"title":"t","icon":"i","color":"blue","android_channel_id":"c","n":{"a":1}}}"#,
            payload:
                #"{"aps":{"alert":{"title":"t"}},"gcm.notification.icon":"i","gcm.notification.color":"blue","gcm.notification.android_channel_id":"c","gcm.notification.n":"{\"a\":1}"}"#
        ),
        LegacyGolden(
            name: "a notification with nothing to see", body: #"{"notification":{"icon":"i"}}"#, type: "background",
            priority: "5", payload: #"{"aps":{"content-available":1},"gcm.notification.icon":"i"}"#),
        LegacyGolden(
            name: "badge zero clears", body: #"{"notification":{"badge":0}}"#, payload: #"{"aps":{"badge":0}}"#),
        LegacyGolden(
            name: "an image for the extension", body: #"{"notification":{"title":"t","image":"https://e/i.png"}}"#,
            payload:
                #"{"aps":{"alert":{"title":"t"},"mutable-content":1},"fcm_options":{"image":"https://e/i.png"}}"#),
        LegacyGolden(
            name: "a critical sound",
            body: #"{"notification":{"title":"t","sound":{"critical":1,"name":"s.caf","volume":0.5}}}"#,
            payload: #"{"aps":{"alert":{"title":"t"},"sound":{"critical":1,"name":"s.caf","volume":0.5}}}"#),
        LegacyGolden(
            name: "a collapse key that is no header", body: #"{"notification":{"title":"t"},"collapse_key":"ключ"}"#,
            collapseID: "Kioq", payload: #"{"aps":{"alert":{"title":"t"}}}"#),
    ]

    @Test(arguments: golden) func `are translated by the one translator`(row: LegacyGolden) throws {
        let now = Timestamp(seconds: 1_700_000_000)
        let content = try LegacyJSONDecoder.decode(Array(row.body.utf8)).content.get()
        let message = content.message(at: now) { _ in [42, 42, 42] }
        try MessageValidator().validate(message, to: .token("t"))
        let push = try push(message, at: now)
        #expect(push.header("apns-push-type") == row.type)
        #expect(push.header("apns-priority") == row.priority)
        #expect(push.header("apns-expiration") == row.expiration)
        #expect(push.header("apns-collapse-id") == row.collapseID)
        var payload = try #require(JSONValue(parsing: push.payload).object)
        for name in ["gcm.message_id", "google.c.a.e", "google.c.sender.id", "google.c.fid"] {
            #expect(payload.remove(name)?.string != nil)
        }
        #expect(try JSONValue.object(payload) == JSONValue(parsing: row.payload))
    }

    private func push(_ message: Message, at now: Timestamp) throws -> ApplePush {
        let project = Project(
            id: ProjectID("demo-kitchen")!, number: ProjectNumber(value: 123_456_789_012), displayName: "",
            createdAt: now)
        let validated = ValidatedMessage(
            id: MessageID(value: 1), project: project, target: .token("t"), message: message, acceptedAt: now,
            expiresAt: now)
        let address = APNsAddress(
            token: APNsDeviceToken(hex: String(repeating: "ab", count: 32))!, environment: .sandbox)
        let registration = Registration(
            id: RegistrationID(value: 1), project: project.number, app: nil, fid: "cSNFZ4mrze8BI0VniavN7w",
            bundleID: "com.example.app", channel: .apple(address), isFIDMode: false, tokenNonce: 1, androidID: 1,
            appVersion: "", sdkVersion: "", createdAt: now, confirmedAt: now)
        return try ApplePushTranslator(silentUrgency: .refuse).template(of: validated)
            .push(to: registration, at: address, pushID: "00000000-0000-0000-0000-000000000000")
    }

    @Test func `keep what browsers need`() throws {
        let rows: [(String, JSONObject?)] = [
            (
                #"{"title":"t","icon":"i.png","click_action":"https://a.example/","color":"blue"}"#,
                ["icon": "i.png", "click_action": "https://a.example/"]
            ),
            (#"{"title":"t"}"#, nil),
        ]
        for (notification, web) in rows {
            let message = try LegacyJSONDecoder.decode(Array(#"{"notification":\#(notification)}"#.utf8)).content.get()
                .message(at: Timestamp(seconds: 0)) { _ in [] }
            #expect(message.webpush?.notification == web)
        }
    }

    @Test func `keep what the direct channel needs`() throws {
        let body =
            #"{"collapse_key":"c","priority":"high","time_to_live":60,"restricted_package_name":"p","notification":"#
            + ##"{"title":"t","color":"#aabbcc","tag":"g","android_channel_id":"ch","body_loc_args":["1"]}}"##
        let message = try LegacyJSONDecoder.decode(Array(body.utf8)).content.get()
            .message(at: Timestamp(seconds: 0)) { _ in [] }
        let android = try #require(message.android)
        #expect(android.collapseKey == "c" && android.priority == .high && android.timeToLive?.seconds == 60)
        #expect(android.restrictedPackageName == "p")
        #expect(
            android.notification
                == ["color": "#aabbcc", "tag": "g", "channel_id": "ch", "body_loc_args": ["1"]])
    }
}
