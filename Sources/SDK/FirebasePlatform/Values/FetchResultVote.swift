import Synchronization

/// Collects the answers of all who handle one push in the background, and gives the system one: once, on main, when
/// everybody has answered.
///
/// Who answers twice is counted once: the system ends an app that calls the handler a second time.
public final class FetchResultVote: Sendable {
    private struct State {
        var awaited: Set<Int> = []
        var nextNumber = 0
        var results: [FetchResult] = []
        var isOpen = true
        var completion: (@Sendable (FetchResult) -> Void)?
    }

    private let main: any MainExecutor
    private let state: Mutex<State>

    /// - Parameter completion: The system's handler; called on `main`.
    public init(on main: any MainExecutor, completion: @escaping @Sendable (FetchResult) -> Void) {
        self.main = main
        state = Mutex(State(completion: completion))
    }

    /// Adds somebody who is to answer. All are added before `close()`.
    ///
    /// - Returns: Takes the answer.
    public func participant() -> @Sendable (FetchResult) -> Void {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.awaited.insert(state.nextNumber)
            return state.nextNumber
        }
        return { [self] result in
            state.withLock { state in
                guard state.awaited.remove(number) != nil else { return }
                state.results.append(result)
            }
            finishIfDone()
        }
    }

    /// Nobody is added any more. Without participants the answer is that there is no data.
    public func close() {
        state.withLock { $0.isOpen = false }
        finishIfDone()
    }

    private func finishIfDone() {
        let done: (completion: @Sendable (FetchResult) -> Void, result: FetchResult)? = state.withLock { state in
            guard !state.isOpen, state.awaited.isEmpty, let completion = state.completion.take() else { return nil }
            return (completion, FetchResult.merged(state.results))
        }
        guard let done else { return }
        if main.isCurrent { done.completion(done.result) } else { main.enqueue { done.completion(done.result) } }
    }
}
