import JSON
import PushModel

/// What an Android app gets: its data, and what its SDK needs to show a notification.
///
/// Source: the keys that the Firebase Android SDK reads (`gcm.n.*`, `google.c.*`), in the forms in which it reads them.
enum AndroidData {
    static func entries(of message: ValidatedMessage) -> [Message.DataEntry] {
        let content = message.message
        let shown = notification(of: content)
        let label = content.android?.analyticsLabel ?? content.analyticsLabel
        var entries = (content.android?.data ?? content.data) + shown
        entries.append(.init(key: "google.c.sender.id", value: message.project.number.description))
        if !shown.isEmpty || label != nil || content.campaign != nil {
            entries.append(.init(key: "google.c.a.e", value: "1"))
        }
        if let label { entries.append(.init(key: "google.c.a.m_l", value: label.text)) }
        return entries + (content.campaign?.entries ?? [])
    }

    private static func notification(of content: Message) -> [Message.DataEntry] {
        guard content.notification != nil || content.android?.notification != nil else { return [] }
        let given = content.android?.notification ?? [:]
        var shown: [Message.DataEntry] = []
        for member in given {
            guard let entry = AndroidNotificationEntry.entry(of: member) else { continue }
            if !shown.contains(where: { $0.key == entry.key }) { shown.append(entry) }
        }
        let common = content.notification
        for (name, value) in [("title", common?.title), ("body", common?.body), ("image", common?.image)] {
            let key = "gcm.n." + name
            guard let value, !shown.contains(where: { $0.key == key }) else { continue }
            shown.append(.init(key: key, value: value))
        }
        return [.init(key: "gcm.n.e", value: "1")] + shown
    }
}
