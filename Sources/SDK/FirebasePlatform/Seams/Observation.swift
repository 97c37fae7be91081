import Synchronization

/// Keeps an observer alive: cancelling it, or letting it go, ends the calls.
public final class Observation: Sendable {
    private let onCancel: Mutex<(@Sendable () -> Void)?>

    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = Mutex(onCancel)
    }

    public func cancel() {
        onCancel.withLock { $0.take() }?()
    }

    deinit { cancel() }
}

/// A list of observers, for those who write a seam.
public final class Observers<Event: Sendable>: Sendable {
    private struct State {
        var next = 0
        var handlers: [Int: @Sendable (Event) -> Void] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    public func add(_ handler: @escaping @Sendable (Event) -> Void) -> Observation {
        let id = state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
        return Observation { [weak self] in self?.state.withLock { _ = $0.handlers.removeValue(forKey: id) } }
    }

    /// Calls the observers in the order they came, outside the lock.
    public func notify(_ event: Event) {
        let handlers = state.withLock { state in
            state.handlers.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in handlers { handler(event) }
    }
}
