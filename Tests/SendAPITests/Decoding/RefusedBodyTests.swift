import PushModel
import SendAPI
import Testing

/// A rule of the service that a well-formed body breaks.
struct Refused: Sendable {
    var body: String
    var kind: SendError.Kind
    var message: String?
    /// The field of the first violation; `nil` when there is none.
    var field: String?

    init(_ body: String, _ kind: SendError.Kind, _ message: String? = nil, at field: String? = nil) {
        self.body = body
        self.kind = kind
        self.message = message
        self.field = field
    }
}

@Suite struct `Requests that break a rule` {
    static let tooLong = String(repeating: "a", count: 901)
    static let notValid = "The registration token is not a valid FCM registration token"

    static let targets: [Row<Refused>] = [
        Row("no message", .init("{}", .noRecipient, "Recipient of the message is not set.", at: "message")),
        Row("null for a message", .init(#"{"message":null}"#, .noRecipient, at: "message")),
        Row(
            "no target",
            .init(
                #"{"message":{"data":{"a":"b"}}}"#, .noRecipient, "Recipient of the message is not set.", at: "message")
        ),
        Row("null for a target", .init(#"{"message":{"token":null}}"#, .noRecipient, at: "message")),
        Row("a made-up token", .init(#"{"message":{"token":"no-such-token"}}"#, .malformedToken, notValid)),
        Row(
            "a made-up token of 22 characters",
            .init(#"{"message":{"token":"device-token-9-invalid"}}"#, .malformedToken, notValid)),
        Row("an empty token", .init(#"{"message":{"token":""}}"#, .malformedToken, notValid)),
        Row("a cut token", .init(#"{"message":{"token":"\#(SendWorld.fid):APA91bAAAA"}}"#, .malformedToken, notValid)),
        Row("a changed token", .init(#"{"message":{"token":"{TOKEN}x"}}"#, .malformedToken, notValid)),
        Row(
            "an installation's auth token",
            .init(
                #"{"message":{"token":"eyJhbGciOiJFUzI1NiJ9.eyJmaWQiOiJjU05GWjRtcnplOEJJMFZuaWF2TjdiIn0.c2ln"}}"#,
                .malformedToken, notValid)),
        Row(
            "an APNs token",
            .init(
                #"{"message":{"token":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}}"#,
                .malformedToken, notValid)),
        Row(
            "a deleted registration",
            .init(#"{"message":{"token":"{DEAD}"}}"#, .unregistered, "Requested entity was not found.")),
        Row("an earlier token", .init(#"{"message":{"token":"{OLD}"}}"#, .unregistered)),
        Row(
            "a deleted installation in the token field",
            .init(#"{"message":{"token":"dSNFZ4mrze8BI0VniavN7w"}}"#, .unregistered)),
        Row(
            "a deleted registration, validated only",
            .init(#"{"validate_only":true,"message":{"token":"{DEAD}"}}"#, .unregistered)),
        Row(
            "a made-up token, validated only",
            .init(#"{"validate_only":true,"message":{"token":"nope"}}"#, .malformedToken, notValid)),
        Row(
            "a token of another project",
            .init(#"{"message":{"token":"{OTHER}"}}"#, .senderIDMismatch, "SenderId mismatch")),
        Row("an unknown fid", .init(#"{"message":{"fid":"fSNFZ4mrze8BI0VniavN7w"}}"#, .unregistered)),
        Row("a fid of another project", .init(#"{"message":{"fid":"eSNFZ4mrze8BI0VniavN7w"}}"#, .unregistered)),
        Row(
            "a fid that is none",
            .init(#"{"message":{"fid":"x"}}"#, .malformedToken, "The Firebase installation ID is not valid.")),
        Row("an empty topic", .init(#"{"message":{"topic":""}}"#, .invalidArgument, at: "message.topic")),
        Row(
            "a topic with its legacy prefix",
            .init(#"{"message":{"topic":"/topics/news"}}"#, .invalidArgument, at: "message.topic")),
        Row("a topic in Cyrillic", .init(#"{"message":{"topic":"погода"}}"#, .invalidArgument, at: "message.topic")),
        Row("a topic with a space", .init(#"{"message":{"topic":"a b"}}"#, .invalidArgument, at: "message.topic")),
        Row(
            "a topic of 901 characters",
            .init(#"{"message":{"topic":"\#(tooLong)"}}"#, .invalidArgument, at: "message.topic")),
        Row(
            "a condition without quotes",
            .init(
                #"{"message":{"condition":"a in topics"}}"#, .invalidArgument, "Request contains an invalid argument.",
                at: "message.condition")),
        Row(
            "a negated condition",
            .init(
                #"{"message":{"condition":"!('a' in topics)"}}"#, .invalidArgument,
                "Request contains an invalid argument.", at: "message.condition")),
        Row(
            "six topics",
            .init(
                #"{"message":{"condition":"'1' in topics||'2' in topics||'3' in topics||'4' in topics||'5' in topics||'6' in topics"}}"#,
                .invalidArgument, at: "message.condition")),
    ]

    static let contents: [Row<Refused>] = [
        Row(
            "data.from",
            .init(
                #"{"message":{"token":"{TOKEN}","data":{"a":"b","from":"me"}}}"#, .reservedDataKey,
                "Invalid data payload key: from", at: "message.data")),
        Row(
            "data.message_type",
            .init(#"{"message":{"token":"{TOKEN}","data":{"message_type":"x"}}}"#, .reservedDataKey, at: "message.data")
        ),
        Row(
            "data.gcm",
            .init(#"{"message":{"token":"{TOKEN}","data":{"gcm":"x"}}}"#, .reservedDataKey, at: "message.data")),
        Row(
            "data.gcm.notification.title",
            .init(
                #"{"message":{"token":"{TOKEN}","data":{"gcm.notification.title":"x"}}}"#, .reservedDataKey,
                at: "message.data")),
        Row(
            "data.google.c.a.e",
            .init(#"{"message":{"topic":"x","data":{"google.c.a.e":"x"}}}"#, .reservedDataKey, at: "message.data")),
        Row(
            "android.data.from",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"data":{"from":"x"}}}}"#, .reservedDataKey,
                at: "message.android.data")),
        Row(
            "webpush.data.from",
            .init(
                #"{"message":{"token":"{TOKEN}","webpush":{"data":{"from":"x"}}}}"#, .reservedDataKey,
                at: "message.webpush.data")),
        Row(
            "four weeks and a second",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"ttl":"2419201s"}}}"#, .timeToLiveOutOfRange,
                at: "message.android.ttl")),
        Row(
            "less than no time",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"ttl":"-1s"}}}"#, .timeToLiveOutOfRange,
                at: "message.android.ttl")),
        Row(
            "a nanosecond less than no time",
            .init(
                #"{"message":{"token":"{TOKEN}","android_v2":{"ttl":"-0.000000001s"}}}"#, .timeToLiveOutOfRange,
                at: "message.android_v2.ttl")),
        Row(
            "both Android parts",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{},"android_v2":{}}}"#, .invalidArgument,
                at: "message.android_v2")),
        Row(
            "a label with a space",
            .init(
                #"{"message":{"token":"{TOKEN}","fcm_options":{"analytics_label":"a b"}}}"#, .invalidArgument,
                at: "message.fcm_options.analytics_label")),
        Row(
            "a label of 51 characters",
            .init(
                #"{"message":{"token":"{TOKEN}","apns":{"fcm_options":{"analytics_label":"\#(String(repeating: "x", count: 51))"}}}}"#,
                .invalidArgument, at: "message.apns.fcm_options.analytics_label")),
        Row(
            "a color by name",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"notification":{"color":"red"}}}}"#, .invalidArgument,
                at: "message.android.notification.color")),
        Row(
            "a color of three digits",
            .init(
                ##"{"message":{"token":"{TOKEN}","android":{"notification":{"color":"#fff"}}}}"##, .invalidArgument,
                at: "message.android.notification.color")),
        Row(
            "a negative count",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"notification":{"notification_count":-1}}}}"#,
                .invalidArgument, at: "message.android.notification.notification_count")),
        Row(
            "a negative vibration",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"notification":{"vibrate_timings":["1s","-1s"]}}}}"#,
                .invalidArgument, at: "message.android.notification.vibrate_timings[1]")),
        Row(
            "lights without a color",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"notification":{"light_settings":{}}}}}"#, .invalidArgument,
                at: "message.android.notification.light_settings.color")),
        Row(
            "a color brighter than 1",
            .init(
                #"{"message":{"token":"{TOKEN}","android":{"notification":{"light_settings":{"color":{"red":2},"light_on_duration":"1s","light_off_duration":"1s"}}}}}"#,
                .invalidArgument, at: "message.android.notification.light_settings.color.red")),
        Row(
            "a link over plain HTTP",
            .init(
                #"{"message":{"token":"{TOKEN}","webpush":{"fcm_options":{"link":"http://e"}}}}"#, .invalidArgument,
                at: "message.webpush.fcm_options.link")),
        Row(
            "a web TTL that is no number",
            .init(
                #"{"message":{"token":"{TOKEN}","webpush":{"headers":{"TTL":"1h"}}}}"#, .timeToLiveOutOfRange,
                at: "message.webpush.headers")),
        Row(
            "an unknown urgency",
            .init(
                #"{"message":{"token":"{TOKEN}","webpush":{"headers":{"Urgency":"now"}}}}"#, .invalidArgument,
                at: "message.webpush.headers")),
    ]

    static func apns(_ payload: String, data: String = "{}") -> String {
        #"{"message":{"token":"{TOKEN}","data":\#(data),"apns":{"payload":\#(payload)}}}"#
    }

    static let apple: [Row<Refused>] = [
        Row(
            "no aps",
            .init(
                #"{"message":{"token":"{TOKEN}","notification":{"title":"t"},"apns":{"payload":{"sound":"default"}}}}"#,
                .invalidArgument, "Payload of Apple Push Notification Service must contain an [aps] key.",
                at: "message.apns.payload")),
        Row(
            "an aps that is a text",
            .init(
                apns(#"{"aps":"x"}"#), .invalidArgument, "Value type for APS key [aps] is a Dictionary.",
                at: "message.apns.payload.aps")),
        Row("an aps that is null", .init(apns(#"{"aps":null}"#), .invalidArgument, at: "message.apns.payload.aps")),
        Row(
            "a title that is null",
            .init(
                apns(#"{"aps":{"alert":{"title":null,"body":"b"}}}"#), .invalidArgument,
                "Value type for APS key [title] is a String.", at: "message.apns.payload.aps.alert.title")),
        Row(
            "a numeric body",
            .init(
                apns(#"{"aps":{"alert":{"body":3}}}"#), .invalidArgument, "Value type for APS key [body] is a String.",
                at: "message.apns.payload.aps.alert.body")),
        Row(
            "an alert that is a number",
            .init(apns(#"{"aps":{"alert":3}}"#), .invalidArgument, at: "message.apns.payload.aps.alert")),
        Row(
            "arguments that are a text",
            .init(
                apns(#"{"aps":{"alert":{"loc-key":"k","loc-args":"a"}}}"#), .invalidArgument,
                at: "message.apns.payload.aps.alert.loc-args")),
        Row(
            "a numeric argument",
            .init(
                apns(#"{"aps":{"alert":{"loc-key":"k","loc-args":[1]}}}"#), .invalidArgument,
                at: "message.apns.payload.aps.alert.loc-args")),
        Row(
            "a badge that is a text",
            .init(
                apns(#"{"aps":{"badge":"1"}}"#), .invalidArgument, "Value type for APS key [badge] is a number.",
                at: "message.apns.payload.aps.badge")),
        Row(
            "a badge that is null",
            .init(apns(#"{"aps":{"badge":null}}"#), .invalidArgument, at: "message.apns.payload.aps.badge")),
        Row(
            "a numeric sound",
            .init(apns(#"{"aps":{"sound":1}}"#), .invalidArgument, at: "message.apns.payload.aps.sound")),
        Row(
            "a loud sound",
            .init(
                apns(#"{"aps":{"sound":{"critical":1,"name":"s","volume":2}}}"#), .invalidArgument,
                at: "message.apns.payload.aps.sound.volume")),
        Row(
            "a numeric thread",
            .init(
                apns(#"{"aps":{"alert":"a","thread-id":1}}"#), .invalidArgument,
                at: "message.apns.payload.aps.thread-id")),
        Row(
            "a wake-up that is a text",
            .init(
                apns(#"{"aps":{"content-available":"1"}}"#), .invalidArgument,
                at: "message.apns.payload.aps.content-available")),
        Row(
            "a wake-up spelt as in the legacy API",
            .init(
                apns(#"{"aps":{"content_available":1}}"#, data: #"{"job":"sync"}"#), .invalidArgument,
                at: "message.apns.payload.aps")),
        Row("an empty aps", .init(apns(#"{"aps":{},"ticket":"4"}"#), .invalidArgument, at: "message.apns.payload.aps")),
        Row(
            "an empty aps beside an empty notification",
            .init(
                #"{"message":{"token":"{TOKEN}","notification":{},"apns":{"payload":{"aps":{}}}}}"#, .invalidArgument,
                at: "message.apns.payload.aps")),
        Row(
            "a category and nothing else",
            .init(
                apns(#"{"aps":{"category":"c","mutable-content":1}}"#), .invalidArgument, at: "message.apns.payload.aps"
            )),
        Row(
            "a wake-up of 0",
            .init(apns(#"{"aps":{"content-available":0}}"#), .invalidArgument, at: "message.apns.payload.aps")),
        Row(
            "an unknown priority",
            .init(
                #"{"message":{"token":"{TOKEN}","apns":{"headers":{"apns-priority":"7"}}}}"#, .invalidArgument,
                at: "message.apns.headers")),
        Row(
            "a collapse id of 65 bytes",
            .init(
                #"{"message":{"token":"{TOKEN}","apns":{"headers":{"apns-collapse-id":"\#(String(repeating: "c", count: 65))"}}}}"#,
                .invalidArgument, at: "message.apns.headers")),
        Row(
            "an expiration that is no time",
            .init(
                #"{"message":{"topic":"x","apns":{"headers":{"apns-expiration":"soon"}}}}"#, .invalidArgument,
                at: "message.apns.headers")),
        Row(
            "a header of two lines",
            .init(
                #"{"message":{"token":"{TOKEN}","apns":{"headers":{"apns-topic":"a\r\nb"}}}}"#, .invalidArgument,
                at: "message.apns.headers")),
        Row(
            "a silent push that is urgent",
            .init(
                #"{"message":{"token":"{TOKEN}","data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"}}}}"#,
                .invalidArgument, at: "message.apns.headers")),
    ]

    @Test(arguments: targets + contents + apple) func `say which`(row: Row<Refused>) async throws {
        let world = SendWorld()
        do throws(SendRequestRefusal) {
            _ = try await world.answer(to: world.filled(row.content.body))
            Issue.record("accepted")
        } catch {
            guard case .refused(let error) = error else {
                Issue.record("malformed: \(error)")
                return
            }
            #expect(error.kind == row.content.kind)
            if let message = row.content.message { #expect(error.message == message) }
            #expect(error.violations.first?.field == row.content.field)
        }
        #expect(world.store.accepted.isEmpty)
        #expect(world.platform.submitted.isEmpty)
    }

    @Test func `are malformed before anything else`() {
        let body = #"{"message":{"topic":"/topics/x","fcm_options":{"analytics_label":" "},"x":1}}"#
        let refusal = #expect(throws: SendRequestRefusal.self) {
            try SendRequestDecoder().decode(Array(body.utf8), project: SendWorld.project.id)
        }
        guard case .malformed? = refusal else {
            Issue.record("refused for another reason")
            return
        }
    }
}
