import MCSWire
import PushCore
import PushModel
import Timekeeping

/// The last messages that were translated on a loop: one that goes to thousands of devices is translated once for all
/// that get the same.
struct RecentTranslations {
    private static let capacity = 4

    private struct Translation {
        let delivery: QueuedDelivery
        let outgoing: OutgoingDelivery
        let template: DataMessageTemplate
    }

    private var translations: [Translation] = []
    private var oldest = 0

    /// - Returns: `nil` when the device can never get it.
    mutating func translate(
        _ delivery: QueuedDelivery, by inboxes: DeviceInboxes
    ) -> (outgoing: OutgoingDelivery, template: DataMessageTemplate)? {
        for known in translations where delivery.reads(like: known.delivery) {
            return (inboxes.outgoing(delivery, like: known.outgoing), known.template)
        }
        guard let outgoing = inboxes.outgoing(delivery) else { return nil }
        let template = DataMessageTemplate(outgoing.message.stanza)
        keep(Translation(delivery: delivery, outgoing: outgoing, template: template))
        return (outgoing, template)
    }

    private mutating func keep(_ translation: Translation) {
        if translations.count < Self.capacity {
            translations.append(translation)
        } else {
            translations[oldest] = translation
            oldest = (oldest + 1) % Self.capacity
        }
    }
}

extension DeviceMessage {
    /// What all devices of a message share.
    var stanza: DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.from = from
        stanza.token = collapseKey ?? ""
        stanza.appData = data.map { DataMessageStanza.AppData(key: $0.key, value: $0.value) }
        stanza.timeToLive = Int32(clamping: timeToLiveSeconds)
        stanza.sent = sentAt.milliseconds
        stanza.rawData = rawData
        return stanza
    }
}
