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
}

extension DeliveryObserver {
    public func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool) {}
}
