import Synchronization

/// An app whose life cycle somebody else drives.
public final class ManualAppState: AppStateSource {
    private let state: Mutex<AppState>
    private let observers = Observers<AppStateEvent>()

    public init(_ initial: AppState = .background) {
        state = Mutex(initial)
    }

    public var current: AppState { state.withLock { $0 } }

    public func observe(_ handler: @escaping @Sendable (AppStateEvent) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Changes the state and tells the observers about the event that belongs to it. Call it on the main executor.
    public func move(to next: AppState) {
        let previous = state.withLock { state in
            defer { state = next }
            return state
        }
        guard previous != next else { return }
        switch next {
        case .active: observers.notify(.didBecomeActive)
        case .background: observers.notify(.didEnterBackground)
        case .inactive, .absent: break
        }
    }

    /// Tells the observers that the app ends. Call it on the main executor.
    public func terminate() {
        observers.notify(.willTerminate)
    }
}
