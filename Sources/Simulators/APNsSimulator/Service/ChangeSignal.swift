import EventLoop
import Synchronization

/// Wakes those who wait for something to change.
final class ChangeSignal: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Wakes everybody who waits.
    func notify() {
        // Each request comes here, and mostly nobody waits.
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits for the next change, or for the time to pass.
    ///
    /// - Parameter isReady: Asked once more when the wait is set up, so that no change slips between.
    func wait(for limit: Duration, on loop: EventLoop, unless isReady: @escaping @Sendable () -> Bool) async {
        await withCheckedContinuation { continuation in
            let id = state.withLock { state in
                state.next += 1
                state.waiting[state.next] = continuation
                return state.next
            }
            let isRunning = loop.execute { [self] in
                loop.schedule(after: limit) { [self] in wake(id) }
            }
            if isReady() || !isRunning { wake(id) }
        }
    }

    private func wake(_ id: Int) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
}
