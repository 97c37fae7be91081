public import PushModel

/// Takes deliveries that are in the store on their way.
public protocol DeliverySubmission: Sendable {
    /// - Parameter outcome: Told once for each delivery, from any thread, what its first try came to; `nil` when the
    ///   delivery goes on being tried.
    func submit(
        _ deliveries: [QueuedDelivery], outcome: @escaping @Sendable (QueuedDelivery, DeliveryOutcome?) -> Void)
}
