import MCSWire
import PushCore
import PushModel
import Timekeeping

/// The last messages that were translated on a loop: one that goes to thousands of devices is translated once for all
/// that get the same.
struct RecentTranslations {
    private static let capacity = 4

    private final class Translation {
        let delivery: QueuedDelivery
        let outgoing: OutgoingDelivery
        let template: DataMessageTemplate

        init(delivery: QueuedDelivery, outgoing: OutgoingDelivery, template: DataMessageTemplate) {
            self.delivery = delivery
            self.outgoing = outgoing
            self.template = template
        }
    }

    private var translations: [Translation] = []
    private var oldest = 0

    /// - Returns: `nil` when the device can never get it.
    mutating func translate(
        _ delivery: QueuedDelivery, in shared: ChannelShared
    ) -> (outgoing: OutgoingDelivery, template: DataMessageTemplate)? {
        for known in translations where delivery.reads(like: known.delivery) {
            return (shared.inboxes.outgoing(delivery, like: known.outgoing), known.template)
        }
        guard let outgoing = shared.inboxes.outgoing(delivery) else { return nil }
        let template = shared.template(of: outgoing)
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

extension ChannelShared {
    /// What all devices of a message share.
    func template(of outgoing: OutgoingDelivery) -> DataMessageTemplate {
        let message = outgoing.message
        var stanza = DataMessageStanza()
        stanza.from = message.from
        stanza.token = message.collapseKey ?? ""
        stanza.appData = message.data.map { DataMessageStanza.AppData(key: $0.key, value: $0.value) }
        stanza.timeToLive = Int32(clamping: message.timeToLiveSeconds)
        stanza.sent = message.sentAt.milliseconds
        stanza.rawData = message.rawData
        stanza.priority = message.isUrgent ? DataMessageStanza.highPriority : DataMessageStanza.normalPriority
        if rules.limits.wantsPromptAcknowledgements || outgoing.message.wantsPromptAcknowledgement,
            !outgoing.isNowOrNever
        {
            stanza.immediateAck = true
        }
        return DataMessageTemplate(stanza)
    }
}
