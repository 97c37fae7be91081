import JSON
import PushModel
import Timekeeping

/// One member of `AndroidNotification` as a text for the app's SDK, which reads numbers where HTTP v1 has names, and
/// milliseconds where it has times and durations.
///
/// Source: Firebase Android SDK, `NotificationParams`; names: FCM HTTP v1, `AndroidNotification`.
enum AndroidNotificationEntry {
    /// Members whose key is not `gcm.n.<member>`.
    private static let names = [
        "sound": "sound2", "channel_id": "android_channel_id", "proxy": "dnp", "bypass_proxy_notification": "dnp",
    ]
    private static let priorities = [
        "PRIORITY_MIN": "-2", "PRIORITY_LOW": "-1", "PRIORITY_DEFAULT": "0", "PRIORITY_HIGH": "1",
        "PRIORITY_MAX": "2",
    ]
    private static let visibilities = ["SECRET": "-1", "PRIVATE": "0", "PUBLIC": "1"]

    /// `nil` for a member that says nothing.
    static func entry(of member: JSONObject.Member) -> Message.DataEntry? {
        guard let text = text(of: member) else { return nil }
        return .init(key: "gcm.n." + (names[member.name] ?? member.name), value: text)
    }

    private static func text(of member: JSONObject.Member) -> String? {
        let value = member.value
        switch member.name {
        case "notification_priority": return value.string.flatMap { priorities[$0] }
        case "visibility": return value.string.flatMap { visibilities[$0] }
        case "event_time": return value.string.flatMap { Timestamp(rfc3339: $0) }.map { String($0.milliseconds) }
        case "vibrate_timings": return milliseconds(value.array)
        case "light_settings": return lights(value.object)
        // The SDK knows only whether another device may not show the notification.
        case "proxy": return value.string == "DENY" ? "1" : nil
        case "bypass_proxy_notification": return value.bool == true ? "1" : nil
        default: return plain(value)
        }
    }

    /// Lists and objects are JSON in a text; flags are `1` and `0`.
    private static func plain(_ value: JSONValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .number(let number): number.literal
        case .array, .object: encoded(value)
        }
    }

    private static func encoded(_ value: JSONValue) -> String {
        String(decoding: value.encoded, as: UTF8.self)
    }

    private static func milliseconds(_ durations: [JSONValue]?) -> String? {
        guard let durations, !durations.isEmpty else { return nil }
        let numbers = durations.compactMap { $0.string.flatMap { milliseconds($0) } }
        return numbers.count == durations.count ? encoded(.array(numbers.map { .integer($0) })) : nil
    }

    /// `[color, milliseconds on, milliseconds off]`.
    private static func lights(_ settings: JSONObject?) -> String? {
        guard let settings, let color = settings["color"]?.object,
            let on = settings["light_on_duration"]?.string.flatMap({ milliseconds($0) }),
            let off = settings["light_off_duration"]?.string.flatMap({ milliseconds($0) })
        else { return nil }
        return encoded([.string(hex(color)), .integer(on), .integer(off)])
    }

    /// `#AARRGGBB`. Parts are from 0 to 1; a color without alpha is opaque. Source: `google.type.Color`.
    private static func hex(_ color: JSONObject) -> String {
        ["alpha", "red", "green", "blue"].reduce(into: "#") { text, name in
            let part = color[name]?.double ?? (name == "alpha" ? 1 : 0)
            let byte = UInt8(min(max(part, 0), 1) * 255 + 0.5)
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// `3.5s` in milliseconds; what is finer is cut off. `nil` for every other text and for more than a day.
    private static func milliseconds(_ duration: String) -> Int64? {
        guard duration.hasSuffix("s") else { return nil }
        let parts = duration.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let seconds = Int64(parts[0]), (0...86_400).contains(seconds) else {
            return nil
        }
        let fraction = parts.count == 2 ? parts[1].prefix(3) : ""
        guard let part = Int64("0" + fraction) else { return nil }
        let scale: [Int64] = [1, 100, 10, 1]
        return seconds * 1000 + part * scale[fraction.count]
    }
}
