public import PushModel

/// An entry of an inbox as it goes out: what to write, and what to settle once the device has it.
///
/// A class, because it is kept until the device acknowledges it, and a message to a topic is kept once for each device.
public final class OutgoingDelivery: Sendable {
    public let id: DeliveryID
    public let message: DeviceMessage
    let content: Content

    enum Content: Sendable {
        case message(QueuedDelivery)
        /// A note of dropped messages.
        case note(Registration)
    }

    init(id: DeliveryID, message: DeviceMessage, content: Content) {
        self.id = id
        self.message = message
        self.content = content
    }

    /// Whether the device must not get it a second time: it is over once it is written, and nobody acknowledges it.
    public var isNowOrNever: Bool { message.timeToLiveSeconds == 0 }
}

/// The next entries of an inbox.
public struct InboxPage: Sendable {
    public var outgoing: [OutgoingDelivery]
    /// The last entry that was looked at.
    public var last: DeliveryID
    /// Whether nothing waits after it.
    public var isEnd: Bool
}

extension QueuedDelivery {
    /// Whether it is worth nothing to a device that does not get it at once.
    public var isNowOrNever: Bool { message.deviceLifetimeSeconds(for: recipient.channel) == 0 }

    /// Whether the device gets the same as the one of another delivery, but for the id.
    public func reads(like other: QueuedDelivery) -> Bool {
        guard message.id == other.message.id, recipient.bundleID == other.recipient.bundleID,
            recipient.subtype == other.recipient.subtype
        else { return false }
        return switch (recipient.channel, other.recipient.channel) {
        case (.device, .device), (.apple, .apple): true
        default: false
        }
    }
}
