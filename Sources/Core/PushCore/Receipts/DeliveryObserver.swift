public import PushModel

/// Hears what happens to each message: the emulator's journal, metrics, reports. Called from any thread; must not
/// block.
public protocol DeliveryObserver: Sendable {
    func accepted(_ message: ValidatedMessage, recipients: [Registration])
    func translated(_ delivery: QueuedDelivery, into push: ApplePush)
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer)
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome)
}
