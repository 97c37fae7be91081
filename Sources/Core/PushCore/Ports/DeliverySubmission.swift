public import PushModel

/// Takes deliveries that are in the store on their way.
public protocol DeliverySubmission: Sendable {
    /// - Parameter observer: Hears the first outcome of each; `nil` when nobody waits for it.
    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?)

    /// Whether more deliveries of a fan-out leave room for direct sends of the project and of others.
    func hasRoomForFanOut(of project: ProjectNumber) -> Bool
}

extension Dispatcher: DeliverySubmission {}
