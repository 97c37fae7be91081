import JSON
import PushModel

/// What an Apple app gets over its connection.
///
/// `gcm.message_id` and `gcm.duplex` let the SDK recognise a message that came through APNs too.
enum AppleChannelData {
    static func entries(of message: ValidatedMessage) -> [Message.DataEntry] {
        var entries = message.message.data
        for member in message.message.apns?.payload ?? [:] where member.name != "aps" {
            guard let text = member.value.string, !entries.contains(where: { $0.key == member.name }) else { continue }
            entries.append(.init(key: member.name, value: text))
        }
        entries.append(.init(key: "gcm.message_id", value: message.id.description))
        entries.append(.init(key: "gcm.duplex", value: "1"))
        return entries
    }
}
