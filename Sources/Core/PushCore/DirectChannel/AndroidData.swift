import JSON
import PushModel

/// What an Android app gets: its data, and what its SDK needs to show a notification.
///
/// Source: the keys that the Firebase Android SDK reads (`gcm.n.*`, `google.c.*`).
enum AndroidData {
    /// Members of `android.notification` whose key is not `gcm.n.<member>`.
    private static let names = [
        "sound": "sound2", "channel_id": "android_channel_id", "notification_priority": "notification_priority",
        "body_loc_args": "body_loc_args", "title_loc_args": "title_loc_args",
    ]

    static func entries(of message: ValidatedMessage) -> [Message.DataEntry] {
        let content = message.message
        var entries = content.android?.data ?? content.data
        entries += notification(of: content)
        entries.append(.init(key: "google.c.sender.id", value: message.project.number.description))
        if let label = content.android?.analyticsLabel ?? content.analyticsLabel {
            entries.append(.init(key: "google.c.a.m_l", value: label.text))
        }
        return entries
    }

    private static func notification(of content: Message) -> [Message.DataEntry] {
        let given = content.android?.notification ?? [:]
        var shown: [Message.DataEntry] = []
        for member in given {
            guard let text = text(of: member.value) else { continue }
            shown.append(.init(key: "gcm.n." + (names[member.name] ?? member.name), value: text))
        }
        let common = content.notification
        for (name, value) in [("title", common?.title), ("body", common?.body), ("image", common?.image)] {
            guard let value, given[name] == nil else { continue }
            shown.append(.init(key: "gcm.n." + name, value: value))
        }
        guard !shown.isEmpty else { return [] }
        return [.init(key: "gcm.n.e", value: "1")] + shown
    }

    /// Lists and objects are JSON in a text; flags are `1` and `0`.
    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .number(let number): number.literal
        case .array, .object: String(decoding: value.encoded, as: UTF8.self)
        }
    }
}
