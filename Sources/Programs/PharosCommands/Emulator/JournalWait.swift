import EventLoop
import Synchronization

/// Waits until messages are settled.
struct JournalWait: Sendable {
    let journal: DeliveryJournal
    let query: DeliveryJournal.Query

    /// Returns when the messages are settled, at the latest after that time.
    func run(milliseconds: Int64, loop: EventLoop) async {
        await withCheckedContinuation { continuation in
            let once = ResumeOnce(continuation)
            let isDue = Atomic(false)
            // Changes come in crowds: one look at the journal answers all that came before it.
            let check: @Sendable () -> Void = {
                guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
                _ = loop.execute {
                    isDue.store(false, ordering: .releasing)
                    if journal.isSettled(query) { once.resume() }
                }
            }
            let waiter = journal.addWaiter(check)
            once.whenResumed { journal.removeWaiter(waiter) }
            check()
            _ = loop.execute {
                loop.schedule(after: .milliseconds(milliseconds)) { once.resume() }
            }
        }
    }
}

/// A continuation that several may want to resume.
private final class ResumeOnce: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var cleanUp: (@Sendable () -> Void)?
        var isDone = false
    }

    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        state = Mutex(State(continuation: continuation))
    }

    func whenResumed(_ cleanUp: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.cleanUp = cleanUp }
            return state.isDone
        }
        if isDone { cleanUp() }
    }

    func resume() {
        let (continuation, cleanUp) = state.withLock { state in
            state.isDone = true
            return (state.continuation.take(), state.cleanUp.take())
        }
        cleanUp?()
        continuation?.resume()
    }
}
