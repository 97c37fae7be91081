import JSON
import PushModel
import Testing

@testable import LegacyAPI

@Suite struct `Legacy JSON bodies` {
    struct Targeted: Sendable {
        var body: String
        var target: LegacyRequest.Target
    }

    static let targets = [
        Row("to is a token", Targeted(body: #"{"to":"abc"}"#, target: .one("abc"))),
        Row("to is a topic", Targeted(body: #"{"to":"/topics/a%20b"}"#, target: .topic(TopicName("a%20b")!))),
        Row("a topic without its slash is a token", Targeted(body: #"{"to":"topics/a"}"#, target: .one("topics/a"))),
        Row("the former name of to", Targeted(body: #"{"notification_key":"k"}"#, target: .one("k"))),
        Row("to wins over its former name", Targeted(body: #"{"notification_key":"k","to":"t"}"#, target: .one("t"))),
        Row("many, in order", Targeted(body: #"{"registration_ids":["b","a","b"]}"#, target: .many(["b", "a", "b"]))),
        Row("an empty to beside a list", Targeted(body: #"{"to":"","registration_ids":["b"]}"#, target: .many(["b"]))),
        Row("one of many", Targeted(body: #"{"registration_ids":["b"]}"#, target: .many(["b"]))),
        Row(
            "a thousand",
            Targeted(
                body: #"{"registration_ids":["x\#(String(repeating: #"","x"#, count: 999))"]}"#,
                target: .many(Array(repeating: "x", count: 1000)))),
        Row(
            "a condition keeps its text",
            Targeted(body: #"{"condition":"!('a' in topics)"}"#, target: .condition("!('a' in topics)"))),
        Row("nobody", Targeted(body: "{}", target: .nobody)),
        Row("an empty to is nobody", Targeted(body: #"{"to":""}"#, target: .nobody)),
        Row("null is nobody", Targeted(body: #"{"to":null,"registration_ids":null}"#, target: .nobody)),
        Row("names that nobody knows", Targeted(body: #"{"to":"a","apns":{"x":1},"dryRun":true}"#, target: .one("a"))),
        Row("a byte order mark", Targeted(body: "\u{FEFF}{\"to\":\"a\"}", target: .one("a"))),
    ]

    @Test(arguments: targets) func `name their target`(row: Row<Targeted>) throws {
        let request = try LegacyJSONDecoder.decode(Array(row.content.body.utf8))
        #expect(request.target == row.content.target)
        #expect(request.isDryRun == false)
    }

    struct Refused: Sendable {
        var body: String
        var text: String
    }

    static let refused = [
        Row("no JSON", Refused(body: "to=a", text: "JSON_PARSING_ERROR")),
        Row("nothing", Refused(body: "", text: "JSON_PARSING_ERROR")),
        Row("half an object", Refused(body: #"{"to":"a""#, text: "JSON_PARSING_ERROR")),
        Row("a list", Refused(body: "[]", text: "JSON_PARSING_ERROR")),
        Row("to as a list", Refused(body: #"{"to":["a"]}"#, text: #"Field "to" must be a JSON string: ["a"]"#)),
        Row("to as a number", Refused(body: #"{"to":1}"#, text: #"Field "to" must be a JSON string"#)),
        Row(
            "tokens as a text",
            Refused(body: #"{"registration_ids":"a"}"#, text: #""registration_ids" field is not a JSON array"#)),
        Row("no token at all", Refused(body: #"{"registration_ids":[]}"#, text: "cannot be empty")),
        Row("a token that is none", Refused(body: #"{"registration_ids":["a",["b"]]}"#, text: #"Element 1 of field"#)),
        Row(
            "one token too many",
            Refused(
                body: #"{"registration_ids":["x\#(String(repeating: #"","x"#, count: 1000))"]}"#,
                text: "(1001) exceeds maximum allowed (1000)")),
        Row("two targets", Refused(body: #"{"to":"a","registration_ids":["b"]}"#, text: "not both")),
        Row(
            "tokens and a condition",
            Refused(body: #"{"registration_ids":["a"],"condition":"'b' in topics"}"#, text: "not both")),
        Row("a token and a condition", Refused(body: #"{"to":"a","condition":"'b' in topics"}"#, text: "not both")),
        Row("a blank in a topic", Refused(body: #"{"to":"/topics/a b"}"#, text: "Malformed topic name")),
        Row("a topic without a name", Refused(body: #"{"to":"/topics/"}"#, text: "Malformed topic name")),
        Row("data as a text", Refused(body: #"{"to":"a","data":"x"}"#, text: #"Field "data""#)),
        Row("data as a list", Refused(body: #"{"to":"a","data":[1]}"#, text: #"Field "data""#)),
        Row("the sender's place", Refused(body: #"{"to":"a","data":{"from":"x"}}"#, text: #""from" is reserved"#)),
        Row("Google's place", Refused(body: #"{"to":"a","data":{"google.x":"x"}}"#, text: "reserved")),
        Row(
            "the notification's place",
            Refused(body: #"{"to":"a","data":{"gcm.notification.x":"x"}}"#, text: "reserved")),
        Row("Apple's place", Refused(body: #"{"to":"a","data":{"aps":"x"}}"#, text: "reserved")),
        Row(
            "a notification as a text", Refused(body: #"{"to":"a","notification":"x"}"#, text: #"Field "notification""#)
        ),
        Row("a dry run as a text", Refused(body: #"{"to":"a","dry_run":"true"}"#, text: #"Field "dry_run""#)),
        Row("a flag as a number", Refused(body: #"{"to":"a","content_available":1}"#, text: "content_available")),
        Row("a life as a text", Refused(body: #"{"to":"a","time_to_live":"60"}"#, text: "time_to_live")),
        Row("a priority as a number", Refused(body: #"{"to":"a","priority":10}"#, text: "priority")),
        Row("a priority that is none", Refused(body: #"{"to":"a","priority":"urgent"}"#, text: "priority")),
        Row("a collapse key as a number", Refused(body: #"{"to":"a","collapse_key":5}"#, text: "collapse_key")),
        Row("a package as a list", Refused(body: #"{"to":"a","restricted_package_name":[]}"#, text: "restricted_")),
    ]

    @Test(arguments: refused) func `are refused with the name of what is wrong`(row: Row<Refused>) {
        let error = #expect(throws: LegacyFormatError.self) {
            try LegacyJSONDecoder.decode(Array(row.content.body.utf8))
        }
        #expect(error?.text.contains(row.content.text) == true, "\(error?.text ?? "")")
    }

    struct Failing: Sendable {
        var member: String
        var code: LegacyErrorCode
    }

    static let failing = [
        Row("a life below zero", Failing(member: #""time_to_live":-1"#, code: .invalidTimeToLive)),
        Row("a life over four weeks", Failing(member: #""time_to_live":2419201"#, code: .invalidTimeToLive)),
        Row("half a second", Failing(member: #""time_to_live":0.5"#, code: .invalidTimeToLive)),
        Row(
            "arguments as a plain text",
            Failing(member: #""notification":{"body_loc_key":"k","body_loc_args":"a"}"#, code: .invalidParameters)),
        Row(
            "arguments that are objects",
            Failing(member: #""notification":{"title_loc_args":[{}]}"#, code: .invalidParameters)),
        Row("a title as a number", Failing(member: #""notification":{"title":5}"#, code: .invalidParameters)),
        Row("a badge as a word", Failing(member: #""notification":{"badge":"many"}"#, code: .invalidParameters)),
        Row("a badge below zero", Failing(member: #""notification":{"badge":-1}"#, code: .invalidParameters)),
        Row("a sound as a number", Failing(member: #""notification":{"sound":1}"#, code: .invalidParameters)),
    ]

    @Test(arguments: failing) func `fail for every recipient when a value is out of range`(row: Row<Failing>) throws {
        let request = try LegacyJSONDecoder.decode(Array(#"{"to":"a",\#(row.content.member)}"#.utf8))
        #expect(request.content == .failure(row.content.code))
    }

    @Test func `carry data of every kind as text, in order, without null`() throws {
        let body = #"{"to":"a","data":{"n":12,"f":1.50,"b":true,"s":"x","o":{"a":3,"b":"x"},"l":[1,"2"],"z":null}}"#
        let content = try LegacyJSONDecoder.decode(Array(body.utf8)).content.get()
        #expect(
            content.data.map { "\($0.key)=\($0.value)" }
                == ["n=12", "f=1.50", "b=true", "s=x", #"o={"a":3,"b":"x"}"#, #"l=[1,"2"]"#])
    }

    @Test func `take a life from zero to four weeks`() throws {
        for seconds: Int64 in [0, 1, 2_419_200] {
            let body = #"{"to":"a","time_to_live":\#(seconds)}"#
            #expect(try LegacyJSONDecoder.decode(Array(body.utf8)).content.get().timeToLive.seconds == seconds)
        }
    }
}
