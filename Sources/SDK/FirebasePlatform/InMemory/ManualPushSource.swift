import Synchronization

/// A push registration source that somebody else feeds.
public final class ManualPushSource: PushRegistrationSource {
    private let latest = Mutex<PushRegistrationEvent?>(nil)
    private let observers = Observers<PushRegistrationEvent>()

    public init() {}

    public func observe(_ handler: @escaping @Sendable (PushRegistrationEvent) -> Void) -> Observation {
        if let event = latest.withLock({ $0 }) { handler(event) }
        return observers.add(handler)
    }

    /// Call it on the main executor.
    public func emit(_ event: PushRegistrationEvent) {
        latest.withLock { $0 = event }
        observers.notify(event)
    }
}
