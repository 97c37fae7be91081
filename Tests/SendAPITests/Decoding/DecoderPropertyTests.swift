import JSON
import PropertyTesting
import PushModel
import SendAPI
import Testing

@Suite struct `Any body at all` {
    static let bodies =
        `Bodies that fit the schema`.equals.flatMap { [$0.content.first, $0.content.second] }
        + (`Bodies that do not fit the schema`.names + `Bodies that do not fit the schema`.values).map(\.content.body)

    @Test func `is read or refused, and never traps`() {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array(#"{}[]:,"\/tfn0123456789.eE+-uDd s"#.utf8) + [0xEF, 0xBB, 0xBF, 0xC0, 0xFF, 0]
        for round in 0..<6000 {
            let body = random.mutate(Array(Self.bodies[round % Self.bodies.count].utf8), alphabet: alphabet)
            do throws(SendRequestRefusal) {
                _ = try SendRequestDecoder().decode(body, project: SendWorld.project.id)
            } catch {
                if case .malformed(let error) = error { #expect(!error.violations.isEmpty) }
            }
        }
    }

    @Test func `is refused when it is cut anywhere`() {
        let body = Array(#"{"message":{"token":"t","data":{"k":"é\u00e9"},"android":{"ttl":"1s","priority":1}}}"#.utf8)
        for count in 0..<body.count {
            #expect(throws: SendRequestRefusal.self) {
                try SendRequestDecoder().decode(Array(body.prefix(count)), project: SendWorld.project.id)
            }
        }
    }

    @Test func `means the same in both spellings, whatever it says`() throws {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<1500 {
            let body = JSONValue.object(["message": .object(BodySampler.message(&random))])
            let camel = BodySampler.respelled(body, isOpaque: false)
            let read = Result { try SendRequestDecoder().decode(body.encoded, project: SendWorld.project.id) }
            let readCamel = Result {
                try SendRequestDecoder().decode(camel.prettyPrinted, project: SendWorld.project.id)
            }
            #expect(try read.get() == readCamel.get())
        }
    }
}

/// Random messages of the schema.
private enum BodySampler {
    static func message(_ random: inout SeededGenerator) -> JSONObject {
        var message: JSONObject = ["token": "t"]
        maybe(&random) { message["data"] = .object(map(&$0)) }
        maybe(&random) { message["notification"] = .object(pick(["title", "body", "image"], &$0)) }
        maybe(&random) { message["fcm_options"] = .object(label(&$0)) }
        maybe(&random) { message["android"] = .object(android(&$0)) }
        maybe(&random) { message["apns"] = .object(apns(&$0)) }
        maybe(&random) { message["webpush"] = .object(webpush(&$0)) }
        return message
    }

    private static func android(_ random: inout SeededGenerator) -> JSONObject {
        var android = pick(["collapse_key", "restricted_package_name"], &random)
        maybe(&random) { android["ttl"] = .string("\(Int.random(in: 0...2_419_200, using: &$0))s") }
        maybe(&random) { android["priority"] = .string($0.choose("HIGH", "normal")) }
        maybe(&random) { android["direct_boot_ok"] = .bool(Bool.random(using: &$0)) }
        maybe(&random) { android["fcm_options"] = .object(label(&$0)) }
        maybe(&random) { android["data"] = .object(map(&$0)) }
        maybe(&random) { android["notification"] = .object(androidNotification(&$0)) }
        return android
    }

    private static func androidNotification(_ random: inout SeededGenerator) -> JSONObject {
        var notification = pick(["title", "channel_id", "click_action", "body_loc_key", "ticker"], &random)
        maybe(&random) { notification["title_loc_args"] = .array([.string(text(&$0)), .string(text(&$0))]) }
        maybe(&random) { notification["notification_count"] = .integer(Int.random(in: 0...99, using: &$0)) }
        maybe(&random) { notification["notification_priority"] = .string($0.choose("PRIORITY_LOW", "priority_max")) }
        maybe(&random) { notification["default_vibrate_timings"] = .bool(Bool.random(using: &$0)) }
        maybe(&random) {
            notification["vibrate_timings"] = .array([.string("\(Int.random(in: 0...9, using: &$0)).5s")])
        }
        return notification
    }

    private static func apns(_ random: inout SeededGenerator) -> JSONObject {
        var apns = pick(["live_activity_token"], &random)
        maybe(&random) { apns["headers"] = .object(map(&$0)) }
        maybe(&random) {
            apns["payload"] = ["aps": .object(pick(["alert", "thread_id", "fcm_options"], &$0)), "a_b": nil]
        }
        maybe(&random) { apns["fcm_options"] = .object(label(&$0)) }
        return apns
    }

    private static func webpush(_ random: inout SeededGenerator) -> JSONObject {
        var webpush = JSONObject()
        maybe(&random) { webpush["notification"] = .object(pick(["title", "require_interaction"], &$0)) }
        maybe(&random) { webpush["fcm_options"] = .object(label(&$0)) }
        return webpush
    }

    /// The same body in lowerCamelCase, but for what is the sender's own.
    static func respelled(_ value: JSONValue, isOpaque: Bool) -> JSONValue {
        guard let object = value.object, !isOpaque else { return value }
        return .object(
            JSONObject(
                object.members.map { member in
                    let isMap =
                        ["data", "headers", "payload"].contains(member.name)
                        || member.name == "notification" && member.value["require_interaction"] != nil
                    return (camel(member.name), respelled(member.value, isOpaque: isMap))
                }))
    }

    private static func camel(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    private static func label(_ random: inout SeededGenerator) -> JSONObject { pick(["analytics_label"], &random) }

    private static func map(_ random: inout SeededGenerator) -> JSONObject {
        var map = JSONObject()
        for _ in 0..<Int.random(in: 0...15, using: &random) { map["k_\(text(&random))"] = .string(text(&random)) }
        return map
    }

    private static func pick(_ names: [String], _ random: inout SeededGenerator) -> JSONObject {
        var object = JSONObject()
        for name in names where Bool.random(using: &random) {
            object[name] = .string("a\(Int.random(in: 0...9, using: &random))")
        }
        return object
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        random.choose("", "x", "日本", "👩‍👩‍👧‍👦", "a\"b\\c", "\n", "e\u{301}", String(repeating: "long ", count: 30))
    }

    private static func maybe(_ random: inout SeededGenerator, _ body: (inout SeededGenerator) -> Void) {
        if Bool.random(using: &random) { body(&random) }
    }
}

extension SeededGenerator {
    fileprivate mutating func choose(_ choices: String...) -> String {
        choices.randomElement(using: &self) ?? ""
    }
}
