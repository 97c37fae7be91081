import Synchronization

/// A network that somebody else switches on and off.
public final class ManualReachability: ReachabilitySource {
    private let state: Mutex<Bool>
    private let observers = Observers<Bool>()

    public init(_ isReachable: Bool = true) {
        state = Mutex(isReachable)
    }

    public var isReachable: Bool { state.withLock { $0 } }

    public func observe(_ handler: @escaping @Sendable (_ isReachable: Bool) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Call it on the main executor.
    ///
    /// - Parameter quietly: Tells nobody, as systems do at times.
    public func set(_ isReachable: Bool, quietly: Bool = false) {
        let changed = state.withLock { state in
            defer { state = isReachable }
            return state != isReachable
        }
        if changed, !quietly { observers.notify(isReachable) }
    }
}
