import JSON
import PushModel

/// What an Apple app gets over its connection.
///
/// `gcm.message_id` and `gcm.duplex` let the SDK recognise a message that came through APNs too.
enum AppleChannelData {
    /// As in a push, a member of the sender's payload goes before an entry of the data with the same name.
    static func entries(of message: ValidatedMessage) -> [Message.DataEntry] {
        let payload = message.message.apns?.payload ?? [:]
        var entries = message.message.data.filter { payload[$0.key] == nil }
        for member in payload where member.name != "aps" {
            guard let text = member.value.string else { continue }
            entries.append(.init(key: member.name, value: text))
        }
        if let campaign = message.message.campaign {
            entries += [.init(key: "google.c.a.e", value: "1")] + campaign.entries
        }
        entries.append(.init(key: "gcm.message_id", value: message.id.description))
        entries.append(.init(key: "gcm.duplex", value: "1"))
        return entries
    }
}
