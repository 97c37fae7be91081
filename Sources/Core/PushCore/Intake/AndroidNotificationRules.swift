import JSON
import PushModel

/// Values of `AndroidNotification` beyond their types. Source: FCM HTTP v1 reference.
enum AndroidNotificationRules {
    private static let field = "message.android.notification"

    static func check(_ notification: JSONObject) throws(SendError) {
        if let color = notification["color"]?.string, !color.isEmpty, !isColor(color) {
            throw .invalid("\(field).color", "Invalid color: it must be in the form #RRGGBB.")
        }
        if let count = notification["notification_count"]?.int64, count < 0 {
            throw .invalid("\(field).notification_count", "The notification count must not be negative.")
        }
        for (index, timing) in (notification["vibrate_timings"]?.array ?? []).enumerated() {
            try checkLength(timing, field: "\(field).vibrate_timings[\(index)]")
        }
        if let settings = notification["light_settings"]?.object { try check(lightSettings: settings) }
    }

    private static func check(lightSettings: JSONObject) throws(SendError) {
        let field = "\(field).light_settings"
        for name in ["color", "light_on_duration", "light_off_duration"] where lightSettings[name] == nil {
            throw .invalid("\(field).\(name)", "The light settings must have a [\(name)].")
        }
        for name in ["light_on_duration", "light_off_duration"] {
            try checkLength(lightSettings[name], field: "\(field).\(name)")
        }
        for member in lightSettings["color"]?.object?.members ?? [] {
            guard let value = member.value.double, (0...1).contains(value) else {
                throw .invalid("\(field).color.\(member.name)", "A part of a color must be from 0 to 1.")
            }
        }
    }

    private static func checkLength(_ duration: JSONValue?, field: String) throws(SendError) {
        guard duration?.string?.hasPrefix("-") == true else { return }
        throw .invalid(field, "The duration must not be negative.")
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.hasPrefix("#")
            && text.utf8.dropFirst().allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"):
                    true
                default: false
                }
            }
    }
}
