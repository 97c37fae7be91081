import PushModel
import SendAPI
import Testing

/// A fault of the JSON form: field and description of each violation.
struct Malformed: Sendable {
    var body: String
    var violations: [SendError.Violation]

    init(_ body: String, _ violations: (field: String, text: String)...) {
        self.body = body
        self.violations = violations.map { SendError.Violation(field: $0.field, description: $0.text) }
    }

    /// One fault at `field`, described by an invalid value of that field.
    static func value(_ body: String, at field: String, _ rest: String) -> Malformed {
        Malformed(body, (field, "Invalid value at '\(field)' \(rest)"))
    }

    /// One unknown name.
    static func name(_ body: String, _ name: String, at field: String) -> Malformed {
        let place = field.isEmpty ? "" : " at '\(field)'"
        return Malformed(
            body, (field, "Invalid JSON payload received. Unknown name \"\(name)\"\(place): Cannot find field."))
    }

    /// A list where the schema has one value.
    static func list(_ body: String, _ name: String, at field: String) -> Malformed {
        let place = field.isEmpty ? "" : " at '\(field)'"
        let problem = "Proto field is not repeating, cannot start list."
        return Malformed(body, (field, "Invalid JSON payload received. Unknown name \"\(name)\"\(place): \(problem)"))
    }
}

@Suite struct `Bodies that do not fit the schema` {
    static let fcm = "type.googleapis.com/google.firebase.fcm.v1"
    static let protobuf = "type.googleapis.com/google.protobuf"

    static let names: [Row<Malformed>] = [
        Row(
            "a message inside the message",
            .name(#"{"message":{"message":{"token":"t"},"token":"t"}}"#, "message", at: "message")),
        Row(
            "a misspelt notification member",
            .name(#"{"message":{"token":"t","notification":{"titel":"x"}}}"#, "titel", at: "message.notification")),
        Row(
            "an iOS member in the common notification",
            .name(#"{"message":{"notification":{"badge":1}}}"#, "badge", at: "message.notification")),
        Row(
            "badge for Android",
            .name(
                #"{"message":{"android":{"notification":{"badge":"1"}}}}"#, "badge", at: "message.android.notification")
        ),
        Row("an aps outside its payload", .name(#"{"message":{"apns":{"aps":{}}}}"#, "aps", at: "message.apns")),
        Row("an unknown name with null", .name(#"{"message":{"to":null}}"#, "to", at: "message")),
        Row(
            "an unknown option", .name(#"{"message":{"fcm_options":{"link":"x"}}}"#, "link", at: "message.fcm_options")),
        Row(
            "an unknown part of a color",
            .name(
                #"{"message":{"android":{"notification":{"light_settings":{"color":{"hue":1}}}}}}"#, "hue",
                at: "message.android.notification.light_settings.color")),
        Row("another case", .name(#"{"message":{"Token":"t"}}"#, "Token", at: "message")),
        Row(
            "half of each spelling",
            .name(
                #"{"message":{"android":{"notification":{"body_locArgs":[]}}}}"#, "body_locArgs",
                at: "message.android.notification")),
        Row(
            "proxy in the newer Android part",
            .name(
                #"{"message":{"android_v2":{"remote_notification":{"notification":{"proxy":"DENY"}}}}}"#, "proxy",
                at: "message.android_v2.remote_notification.notification")),
        Row(
            "priority in the newer Android part",
            .name(#"{"message":{"androidV2":{"priority":"HIGH"}}}"#, "priority", at: "message.android_v2")),
        Row("an empty name", .name(#"{"":1}"#, "", at: "")),
        Row(
            "a legacy body",
            Malformed(
                #"{"to":"t","priority":"high","notification":{"title":"x"}}"#,
                ("", #"Invalid JSON payload received. Unknown name "to": Cannot find field."#),
                ("", #"Invalid JSON payload received. Unknown name "priority": Cannot find field."#),
                ("", #"Invalid JSON payload received. Unknown name "notification": Cannot find field."#))),
    ]

    static let values: [Row<Malformed>] = [
        Row(
            "a number in the data",
            .value(
                #"{"message":{"token":"t","data":{"a":"b","n":17}}}"#, at: "message.data[1].value", "(TYPE_STRING), 17")
        ),
        Row(
            "a bool in the data",
            .value(#"{"message":{"data":{"n":true}}}"#, at: "message.data[0].value", "(TYPE_STRING), true")),
        Row(
            "null in the data",
            .value(#"{"message":{"data":{"n":null}}}"#, at: "message.data[0].value", "(TYPE_STRING), null")),
        Row(
            "a number in the Android data",
            .value(
                #"{"message":{"android":{"data":{"a":"","b":"","c":0.5}}}}"#, at: "message.android.data[2].value",
                "(TYPE_STRING), 0.5")),
        Row(
            "a numeric APNs header",
            .value(
                #"{"message":{"apns":{"headers":{"apns-priority":5}}}}"#, at: "message.apns.headers[0].value",
                "(TYPE_STRING), 5")),
        Row(
            "a numeric title",
            .value(#"{"message":{"notification":{"title":7}}}"#, at: "message.notification.title", "(TYPE_STRING), 7")),
        Row("a numeric token", .value(#"{"message":{"token":7}}"#, at: "message.token", "(TYPE_STRING), 7")),
        Row("a text for a message", .value(#"{"message":"hello"}"#, at: "message", "(\(fcm).Message), \"hello\"")),
        Row(
            "a text for the notification",
            .value(
                #"{"message":{"notification":"hello"}}"#, at: "message.notification", "(\(fcm).Notification), \"hello\""
            )),
        Row(
            "a text for the payload",
            .value(
                #"{"message":{"apns":{"payload":"{}"}}}"#, at: "message.apns.payload", "(\(protobuf).Struct), \"{}\"")),
        Row("a text for the data", .value(#"{"message":{"data":"x"}}"#, at: "message.data", "(Map), \"x\"")),
        Row("a text for a bool", .value(#"{"validate_only":"true"}"#, at: "validate_only", "(TYPE_BOOL), \"true\"")),
        Row("a number for a bool", .value(#"{"validateOnly":1}"#, at: "validate_only", "(TYPE_BOOL), 1")),
        Row(
            "a ttl without its unit",
            .value(
                #"{"message":{"android":{"ttl":"60"}}}"#, at: "message.android.ttl",
                "(\(protobuf).Duration), Field 'ttl', Illegal duration format; duration must end with 's'")),
        Row(
            "a numeric ttl",
            .value(
                #"{"message":{"android":{"ttl":60}}}"#, at: "message.android.ttl",
                "(\(protobuf).Duration), Field 'ttl', Invalid data type for duration, value is 60")),
        Row(
            "a ttl of no digits",
            .value(
                #"{"message":{"android":{"ttl":"s"}}}"#, at: "message.android.ttl",
                "(\(protobuf).Duration), Field 'ttl', Invalid duration format, failed to parse seconds")),
        Row(
            "a ttl of ten digits after the point",
            .value(
                #"{"message":{"android":{"ttl":"1.0123456789s"}}}"#, at: "message.android.ttl",
                "(\(protobuf).Duration), Field 'ttl', Invalid duration format, failed to parse nano seconds")),
        Row(
            "a ttl of 20,000 years",
            .value(
                #"{"message":{"android":{"ttl":"630720000000s"}}}"#, at: "message.android.ttl",
                "(\(protobuf).Duration), Field 'ttl', Duration value exceeds limits")),
        Row(
            "a priority that is none",
            .value(
                #"{"message":{"android":{"priority":"urgent"}}}"#, at: "message.android.priority",
                "(\(fcm).AndroidMessagePriority), \"urgent\"")),
        Row(
            "a fraction for an enumeration",
            .value(
                #"{"message":{"android":{"priority":1.5}}}"#, at: "message.android.priority",
                "(\(fcm).AndroidMessagePriority), 1.5")),
        Row(
            "an unknown number as text for an enumeration",
            .value(
                #"{"message":{"android":{"priority":"9"}}}"#, at: "message.android.priority",
                "(\(fcm).AndroidMessagePriority), \"9\"")),
        Row(
            "a short notification priority",
            .value(
                #"{"message":{"android":{"notification":{"notificationPriority":"HIGH"}}}}"#,
                at: "message.android.notification.notification_priority",
                "(\(fcm).AndroidNotification.NotificationPriority), \"HIGH\"")),
        Row(
            "a fraction for a whole number",
            .value(
                #"{"message":{"android":{"notification":{"notification_count":1.5}}}}"#,
                at: "message.android.notification.notification_count", "(TYPE_INT32), 1.5")),
        Row(
            "a whole number out of range",
            .value(
                #"{"message":{"android":{"notification":{"notification_count":"2147483648"}}}}"#,
                at: "message.android.notification.notification_count", "(TYPE_INT32), \"2147483648\"")),
        Row(
            "a text for a whole number",
            .value(
                #"{"message":{"android":{"notification":{"notification_count":"many"}}}}"#,
                at: "message.android.notification.notification_count", "(TYPE_INT32), \"many\"")),
        Row(
            "a text for a float",
            .value(
                #"{"message":{"android":{"notification":{"light_settings":{"color":{"red":"x"}}}}}}"#,
                at: "message.android.notification.light_settings.color.red", "(TYPE_FLOAT), \"x\"")),
        Row(
            "a time without a zone",
            .value(
                #"{"message":{"android":{"notification":{"event_time":"2026-01-01T00:00:00"}}}}"#,
                at: "message.android.notification.event_time",
                "(\(protobuf).Timestamp), Field 'eventTime', Invalid time format: 2026-01-01T00:00:00")),
        Row(
            "the 30th of February",
            .value(
                #"{"message":{"android":{"notification":{"event_time":"2028-02-30T00:00:00Z"}}}}"#,
                at: "message.android.notification.event_time",
                "(\(protobuf).Timestamp), Field 'eventTime', Invalid time format: 2028-02-30T00:00:00Z")),
        Row(
            "a numeric argument",
            .value(
                #"{"message":{"android":{"notification":{"title_loc_args":["a",2]}}}}"#,
                at: "message.android.notification.title_loc_args[1]", "(TYPE_STRING), 2")),
        Row(
            "null among the arguments",
            .value(
                #"{"message":{"android":{"notification":{"body_loc_args":[null]}}}}"#,
                at: "message.android.notification.body_loc_args[0]", "(TYPE_STRING), null")),
        Row(
            "one text for a list",
            .value(
                #"{"message":{"android":{"notification":{"body_loc_args":"a"}}}}"#,
                at: "message.android.notification.body_loc_args", "(TYPE_STRING), \"a\"")),
    ]

    static let shapes: [Row<Malformed>] = [
        Row("a list of messages", .list(#"{"message":[{"token":"t"}]}"#, "message", at: "")),
        Row("a list of tokens", .list(#"{"message":{"token":["t"]}}"#, "token", at: "message")),
        Row("a list of notifications", .list(#"{"message":{"notification":[]}}"#, "notification", at: "message")),
        Row("a list in the data", .list(#"{"message":{"data":{"k":["v"]}}}"#, "value", at: "message.data[0]")),
        Row(
            "a list for the data",
            Malformed(
                #"{"message":{"data":[]}}"#,
                ("message", "Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'."))),
        Row(
            "an object in the data",
            Malformed(
                #"{"message":{"data":{"k":{"v":1}}}}"#,
                ("message.data[0]", "Invalid value at 'message.data[0]' (value), Starting an object on a scalar field"))
        ),
        Row(
            "an object for a token",
            Malformed(
                #"{"message":{"token":{"t":1}}}"#,
                ("message", "Invalid value at 'message' (token), Starting an object on a scalar field"))),
        Row(
            "a list at the root",
            Malformed("[]", ("", #"Invalid JSON payload received. Unknown name "": Root element must be a message."#))),
        Row(
            "null at the root",
            Malformed("null", ("", #"Invalid JSON payload received. Unknown name "": Root element must be a message."#))
        ),
        Row(
            "a text at the root",
            Malformed(
                #""message""#, ("", #"Invalid JSON payload received. Unknown name "": Root element must be a message."#)
            )),
        Row(
            "two targets",
            Malformed(
                #"{"message":{"token":"t","topic":"x"}}"#,
                (
                    "message",
                    "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'"
                ))),
        Row(
            "an empty second target",
            Malformed(
                #"{"message":{"token":"t","condition":""}}"#,
                (
                    "message",
                    "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'condition'"
                ))),
        Row(
            "a token after a fid",
            Malformed(
                #"{"message":{"fid":"f","token":"t"}}"#,
                (
                    "message",
                    "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'token'"
                ))),
        Row(
            "both kinds of a newer Android message",
            Malformed(
                #"{"message":{"android_v2":{"background_sync":{},"remote_notification":{}}}}"#,
                (
                    "message.android_v2",
                    "Invalid value at 'message.android_v2' (oneof), oneof field 'message_type' is already set. Cannot set 'remote_notification'"
                ))),
        Row(
            "several faults together",
            Malformed(
                #"{"message":{"token":1,"data":{"a":2},"x":3}}"#,
                ("message.token", "Invalid value at 'message.token' (TYPE_STRING), 1"),
                ("message.data[0].value", "Invalid value at 'message.data[0].value' (TYPE_STRING), 2"),
                ("message", #"Invalid JSON payload received. Unknown name "x" at 'message': Cannot find field."#))),
    ]

    @Test(arguments: names + values + shapes) func `name each fault and its field`(row: Row<Malformed>) {
        #expect(throws: SendRequestRefusal.malformed(RequestFormatError(violations: row.content.violations))) {
            try SendRequestDecoder().decode(Array(row.content.body.utf8), project: SendWorld.project.id)
        }
    }

    @Test(arguments: [
        "", "1", "1m", "1 s", " 1s", "+1s", "--1s", "-s", "1.s", ".5s", "1.5.5s", "1,5s", "1e3s", "0x1s", "١s",
    ])
    func `take no other form of durations`(text: String) {
        let body = #"{"message":{"token":"t","android":{"ttl":"\#(text)"}}}"#
        let refusal = #expect(throws: SendRequestRefusal.self) {
            try SendRequestDecoder().decode(Array(body.utf8), project: SendWorld.project.id)
        }
        guard case .malformed(let error)? = refusal else {
            Issue.record("refused for another reason")
            return
        }
        #expect(error.violations.map(\.field) == ["message.android.ttl"])
    }

    @Test func `describe no more than twenty faults, and long values in part`() throws {
        let many = (0..<500).map { "\"x\($0)\":1" }.joined(separator: ",")
        let long = "\"title\":[],\"body\":\(String(repeating: "9", count: 1000))"
        let body = #"{"message":{"notification":{"# + "\(long)},\(many)}}"
        let refusal = #expect(throws: SendRequestRefusal.self) {
            try SendRequestDecoder().decode(Array(body.utf8), project: SendWorld.project.id)
        }
        guard case .malformed(let error)? = refusal else { return }
        #expect(error.violations.count == 20)
        #expect(error.message.utf8.count < 4000)
    }
}

@Suite struct `Bodies that are no JSON` {
    static let bodies: [Row<[UInt8]>] = [
        Row("nothing", []),
        Row("white space", Array(" \n".utf8)),
        Row("a trailing comma", Array(#"{"message":{"token":"t","data":{"a":"b",}}}"#.utf8)),
        Row("a missing comma", Array(#"{"message":{"token":"t" "data":{}}}"#.utf8)),
        Row("a cut body", Array(#"{"message":{"notification":{"title":"Gr"#.utf8)),
        Row("a cut word", Array(#"{"validate_only":tru"#.utf8)),
        Row("single quotes", Array("{'message':{}}".utf8)),
        Row("a bare name", Array("{message:{}}".utf8)),
        Row("Python's True", Array(#"{"validate_only":True}"#.utf8)),
        Row("NaN", Array(#"{"message":{"apns":{"payload":{"x":NaN}}}}"#.utf8)),
        Row("a comment", Array(#"{"message":{} /* later */}"#.utf8)),
        Row("a second value", Array(#"{"message":{"token":"t"}}{}"#.utf8)),
        Row("a line feed in a text", Array("{\"message\":{\"token\":\"a\nb\"}}".utf8)),
        Row("an unknown escape", Array(#"{"message":{"token":"\x41"}}"#.utf8)),
        Row("half of a surrogate pair", Array(#"{"message":{"token":"\ud83d"}}"#.utf8)),
        Row("Latin-1 bytes", Array(#"{"message":{"token":""#.utf8) + [0xFC, 0x62] + Array(#""}}"#.utf8)),
        Row("an overlong slash", Array(#"{"message":{"token":""#.utf8) + [0xC0, 0xAF] + Array(#""}}"#.utf8)),
        Row("UTF-16", Array("\u{FEFF}{}".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })),
        Row("two byte order marks", [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
        Row("form data", Array("message=hello&token=t".utf8)),
        Row("200 arrays", Array((#"{"message":{"apns":{"payload":{"x":"# + String(repeating: "[", count: 200)).utf8)),
        Row("100,000 objects", Array(String(repeating: #"{"message":"#, count: 100_000).utf8)),
        Row("gzip", [0x1F, 0x8B, 0x08, 0x00]),
    ]

    @Test(arguments: bodies) func `are refused in the words of the syntax`(row: Row<[UInt8]>) throws {
        let refusal = #expect(throws: SendRequestRefusal.self) {
            try SendRequestDecoder().decode(row.content, project: SendWorld.project.id)
        }
        guard case .malformed(let error)? = refusal else {
            Issue.record("refused for another reason")
            return
        }
        #expect(error.message.hasPrefix("Invalid JSON payload received. "))
        #expect(error.violations.count == 1)
        #expect(error.violations.first?.field.isEmpty == true)
    }

    @Test func `are shown with a caret under the place`() throws {
        let refusal = #expect(throws: SendRequestRefusal.self) {
            try SendRequestDecoder().decode(Array(#"{"message":{,}}"#.utf8), project: SendWorld.project.id)
        }
        guard case .malformed(let error)? = refusal else { return }
        #expect(
            error.message
                == "Invalid JSON payload received. Expected an object key or }.\n{\"message\":{,}}\n            ^")
    }
}
