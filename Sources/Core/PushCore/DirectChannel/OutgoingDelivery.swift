public import PushModel
public import Timekeeping

/// An entry of an inbox as it goes out: what to write, and what to settle once the device has it.
///
/// A class, because it is kept until the device acknowledges it, and a message to a topic is kept once for each device.
/// What all devices of the message get is behind one more reference.
public final class OutgoingDelivery: Sendable {
    private final class Shared: Sendable {
        let message: DeviceMessage

        init(_ message: DeviceMessage) {
            self.message = message
        }
    }

    public let id: DeliveryID
    /// Empty for what is now or never.
    public let persistentID: String
    let content: Content
    private let shared: Shared

    enum Content: Sendable {
        case message(QueuedDelivery)
        /// A note of dropped messages.
        case note(Registration)
    }

    init(id: DeliveryID, message: DeviceMessage, content: Content) {
        self.id = id
        persistentID = message.persistentID
        shared = Shared(message)
        self.content = content
    }

    /// For another device that gets the same.
    init(_ delivery: QueuedDelivery, like earlier: OutgoingDelivery, persistentID: String) {
        id = delivery.id
        self.persistentID = persistentID
        shared = earlier.shared
        content = .message(delivery)
    }

    public var message: DeviceMessage {
        var message = shared.message
        message.persistentID = persistentID
        return message
    }

    public var category: String { shared.message.category }
    /// When the service accepted the message.
    public var sentAt: Timestamp { shared.message.sentAt }
    /// Whether the device must not get it a second time: it is over once it is written, and nobody acknowledges it.
    public var isNowOrNever: Bool { shared.message.timeToLiveSeconds == 0 }
}

/// What a device acknowledged of what was written on its connection.
public struct Acknowledgement: Sendable {
    public var device: UInt64
    public var deliveries: [OutgoingDelivery]

    public init(device: UInt64, deliveries: [OutgoingDelivery]) {
        self.device = device
        self.deliveries = deliveries
    }
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
        guard sharesMessage(with: other), recipient.bundleID == other.recipient.bundleID,
            recipient.subtype == other.recipient.subtype
        else { return false }
        return switch (recipient.channel, other.recipient.channel) {
        case (.device, .device), (.apple, .apple): true
        default: false
        }
    }
}
