public import PushModel

/// An entry of an inbox as it goes out: what to write, and what to settle once the device has it.
public struct OutgoingDelivery: Sendable {
    public let id: DeliveryID
    public let message: DeviceMessage
    /// `nil` for a note of dropped messages.
    let delivery: QueuedDelivery?
    let recipient: Registration

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
}
