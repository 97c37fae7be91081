package import FirebasePlatform
import Synchronization

/// Runs asynchronous pieces of work one after the other, in the order they were handed over.
package final class SerialOperations: Sendable {
    private struct State {
        var waiting: [@Sendable () async -> Void] = []
        var running: Task<Void, Never>?
        var isClosed = false
    }

    private let executors: Executors
    private let state = Mutex(State())

    package init(on executors: Executors) {
        self.executors = executors
    }

    package func enqueue(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.waiting.append(work)
            guard state.running == nil else { return }
            let task = executors.start { [self] in await drain() }
            if state.isClosed { task.cancel() }
            state.running = task
        }
    }

    /// Waits for the work's turn and its result.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: await work()) }
        }
    }

    /// Cancels what runs and what waits. Every piece still runs, so that it can answer its caller, but cancelled.
    package func close() {
        let running = state.withLock { state in
            state.isClosed = true
            return state.running
        }
        running?.cancel()
    }

    private func drain() async {
        while let work = next() { await work() }
    }

    private func next() -> (@Sendable () async -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running = nil
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
