public import PushModel

extension Dispatcher: DeliverySubmission {
    /// A sender waits for an end only: what APNs did not take at first goes on being tried, because it is durable.
    public func submit(
        _ deliveries: [QueuedDelivery], outcome: @escaping @Sendable (QueuedDelivery, DeliveryOutcome?) -> Void
    ) {
        submit(deliveries) { (delivery: QueuedDelivery, first: FirstOutcome) -> WaitingDecision in
            switch first {
            case .finished(let end): outcome(delivery, end)
            case .waiting: outcome(delivery, nil)
            }
            return .keepTrying
        }
    }
}
