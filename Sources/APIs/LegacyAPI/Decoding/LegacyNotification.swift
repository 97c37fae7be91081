import JSON
import PushModel

/// The `notification` object of a legacy message. Source: legacy HTTP, "Notification payload support", iOS and Android;
/// members that no table names travel as `gcm.notification.<name>`.
struct LegacyNotification: Sendable, Equatable {
    private(set) var common = Message.Notification()
    private(set) var image: String?
    /// What only Apple's dictionary has a place for.
    private(set) var aps = JSONObject()
    /// Members for the app itself, as text.
    private(set) var extras: [Message.DataEntry] = []
    /// The members that mean something to Android, in the names of HTTP v1.
    private(set) var android: JSONObject?
    private var alert = JSONObject()

    /// - Throws: `invalidParameters` for a known member of the wrong type.
    init(_ members: JSONObject) throws(LegacyErrorCode) {
        for member in members where member.value != .null {
            try take(member)
            takeForAndroid(member)
        }
        if !alert.isEmpty { aps["alert"] = .object(alert) }
    }

    /// Whether the user notices anything.
    var isVisible: Bool {
        common.title?.isEmpty == false || common.body?.isEmpty == false || aps["badge"] != nil || !alert.isEmpty
            || !(aps["sound"] == nil || aps["sound"] == "")
    }

    private mutating func take(_ member: JSONObject.Member) throws(LegacyErrorCode) {
        let value = member.value
        switch member.name {
        case "title": common.title = try Self.text(value)
        case "body": common.body = try Self.text(value)
        case "image": image = try Self.text(value)
        case "subtitle": alert["subtitle"] = .string(try Self.text(value))
        case "body_loc_key": alert["loc-key"] = .string(try Self.text(value))
        case "body_loc_args": alert["loc-args"] = .array(try Self.arguments(value))
        case "title_loc_key": alert["title-loc-key"] = .string(try Self.text(value))
        case "title_loc_args": alert["title-loc-args"] = .array(try Self.arguments(value))
        case "sound": aps["sound"] = try Self.sound(value)
        case "badge": aps["badge"] = .integer(try Self.badge(value))
        case "click_action": aps["category"] = .string(try Self.text(value))
        case "thread_id": aps["thread-id"] = .string(try Self.text(value))
        default: extras.append(.init(key: member.name, value: value.plainText))
        }
    }

    private static func text(_ value: JSONValue) throws(LegacyErrorCode) -> String {
        guard let text = value.string else { throw .invalidParameters }
        return text
    }

    /// A number, or a text that holds one.
    private static func badge(_ value: JSONValue) throws(LegacyErrorCode) -> Int64 {
        let number =
            switch value {
            case .number(let number): number.int64
            case .string(let text): JSONNumber(literal: text)?.int64
            default: Int64?.none
            }
        guard let number, (0...Int64(Int32.max)).contains(number) else { throw .invalidParameters }
        return number
    }

    /// A file's name, or the dictionary of a critical alert.
    private static func sound(_ value: JSONValue) throws(LegacyErrorCode) -> JSONValue {
        guard value.kind == .string || value.kind == .object else { throw .invalidParameters }
        return value
    }

    /// An array, or a text that holds one; numbers and booleans in it become texts.
    private static func arguments(_ value: JSONValue) throws(LegacyErrorCode) -> [JSONValue] {
        let list = value.array ?? value.string.flatMap { try? JSONValue(parsing: $0) }?.array
        guard let list else { throw .invalidParameters }
        var arguments: [JSONValue] = []
        for element in list {
            switch element {
            case .string, .number, .bool: arguments.append(.string(element.plainText))
            default: throw .invalidParameters
            }
        }
        return arguments
    }
}

// MARK: Android

extension LegacyNotification {
    private static let androidNames: [String: String] = [
        "icon": "icon", "tag": "tag", "sound": "sound", "color": "color", "click_action": "click_action",
        "android_channel_id": "channel_id", "body_loc_key": "body_loc_key", "title_loc_key": "title_loc_key",
        "body_loc_args": "body_loc_args", "title_loc_args": "title_loc_args",
    ]

    /// What Android cannot use is left out: the legacy dialect never refused it.
    private mutating func takeForAndroid(_ member: JSONObject.Member) {
        guard let name = Self.androidNames[member.name] else { return }
        let value: JSONValue?
        switch name {
        case "body_loc_args", "title_loc_args": value = (try? Self.arguments(member.value)).map { .array($0) }
        case "color": value = member.value.string.flatMap { Self.isColor($0) ? .string($0) : nil }
        default: value = member.value.string.map { .string($0) }
        }
        guard let value else { return }
        var object = android ?? JSONObject()
        object[name] = value
        android = object
    }

    /// What browsers know beside title and body; `nil` when there is nothing of that. Source: legacy HTTP, "Notification
    /// payload", JavaScript (web).
    var web: JSONObject? {
        let members = ["icon", "click_action"].compactMap { name in android?[name].map { (name, $0) } }
        return members.isEmpty ? nil : JSONObject(members)
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.hasPrefix("#")
            && text.utf8.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}
