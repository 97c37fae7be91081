public import PushModel

/// Hears what happens to each message: the emulator's journal, metrics, reports. Called from any thread; must not
/// block.
public protocol DeliveryObserver: Sendable {
    /// - Parameter recipients: Empty for a topic or condition, whose members are found later.
    func accepted(_ message: ValidatedMessage, recipients: [Registration])
    /// A message to a topic or condition has found more members.
    func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool)
    func translated(_ delivery: QueuedDelivery, into push: ApplePush)
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer)
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome)
    /// A delivery ended in a device's inbox: the device has it, or it was dropped there.
    func ended(_ delivery: FinishedDelivery)
    /// A delivery was written to the connection of its device.
    func written(_ delivery: QueuedDelivery, as outgoing: OutgoingDelivery)
    /// An app sent a message to its app server.
    func upstream(_ message: UpstreamMessage)
    /// An app server has an upstream message, or it expired.
    func upstreamEnded(_ id: UpstreamID, isAcknowledged: Bool)
    /// An app reported something of a message that was not known yet.
    func reported(_ event: ReportedEvent)
}

extension DeliveryObserver {
    public func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool) {}
    public func ended(_ delivery: FinishedDelivery) {}
    public func written(_ delivery: QueuedDelivery, as outgoing: OutgoingDelivery) {}
    public func upstream(_ message: UpstreamMessage) {}
    public func upstreamEnded(_ id: UpstreamID, isAcknowledged: Bool) {}
    public func reported(_ event: ReportedEvent) {}
}
