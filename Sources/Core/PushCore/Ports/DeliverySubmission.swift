public import PushModel

/// Takes deliveries that are in the store on their way.
public protocol DeliverySubmission: Sendable {
    /// - Parameter observer: Hears the first outcome of each; `nil` when nobody waits for it.
    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?)

    /// As the other, for a message that was rendered already.
    func submit(
        _ deliveries: [QueuedDelivery], rendered template: ApplePushTemplate?,
        firstOutcome observer: FirstOutcomeObserver?)

    /// Whether more deliveries of a fan-out leave room for direct sends of the project and of others.
    func hasRoomForFanOut(of project: ProjectNumber) -> Bool
}

extension DeliverySubmission {
    public func submit(
        _ deliveries: [QueuedDelivery], rendered template: ApplePushTemplate?,
        firstOutcome observer: FirstOutcomeObserver?
    ) {
        submit(deliveries, firstOutcome: observer)
    }
}

extension Dispatcher: DeliverySubmission {}
