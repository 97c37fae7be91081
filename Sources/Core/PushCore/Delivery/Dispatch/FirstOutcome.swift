public import PushModel

/// What the first try of a delivery came to: what a sender that waits for it can be told.
public enum FirstOutcome: Sendable, Equatable {
    case finished(DeliveryOutcome)
    /// The delivery stays in the store and is tried again. The error says why APNs did not take it; without one it
    /// waits for the app's APNs token or for its turn.
    case waiting(SendError?)
}

/// Whether a delivery that did not succeed at once goes on.
public enum WaitingDecision: Sendable, Equatable {
    case keepTrying
    /// The sender is told of the error and will send again himself: the delivery fails with that error.
    case giveUp
}

/// Hears once of each delivery of a `submit`. Called from any thread; must not block. The decision counts only for
/// `FirstOutcome.waiting` with an error.
public typealias FirstOutcomeObserver = @Sendable (QueuedDelivery, FirstOutcome) -> WaitingDecision
