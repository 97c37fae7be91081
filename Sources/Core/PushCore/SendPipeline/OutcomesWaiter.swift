import PushModel
import Synchronization

/// The failures among the outcomes of several deliveries, as far as they are known when all are or when patience ends.
final class OutcomesWaiter: Sendable {
    private struct State {
        var missing: Int
        var failures: [RegistrationID: SendError] = [:]
        var isOver = false
        var waiter: CheckedContinuation<[RegistrationID: SendError], Never>?
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(missing: count))
    }

    /// Hears the first outcome of one delivery. As with a single one, a sender who is still there is told that a device
    /// gets too much.
    func hear(_ delivery: QueuedDelivery, _ outcome: FirstOutcome) -> WaitingDecision {
        switch outcome {
        case .finished(.failed(let error)):
            note(error, of: delivery)
        case .waiting(let error?) where error.kind == .deviceQuotaExceeded:
            return note(error, of: delivery) ? .giveUp : .keepTrying
        case .finished, .waiting:
            note(nil, of: delivery)
        }
        return .keepTrying
    }

    /// - Returns: Whether the sender still waited.
    @discardableResult
    private func note(_ error: SendError?, of delivery: QueuedDelivery) -> Bool {
        let wasOpen = state.withLock { state in
            guard !state.isOver else { return false }
            state.missing -= 1
            if let error { state.failures[delivery.recipient.id] = error }
            return true
        }
        endIfDue(isForced: false)
        return wasOpen
    }

    /// Patience is over: what is not known yet counts as on its way.
    func giveUp() {
        endIfDue(isForced: true)
    }

    private func endIfDue(isForced: Bool) {
        let (waiter, failures) = state.withLock {
            state -> (CheckedContinuation<[RegistrationID: SendError], Never>?, [RegistrationID: SendError]) in
            guard isForced || state.missing <= 0 else { return (nil, [:]) }
            state.isOver = true
            defer { state.waiter = nil }
            return (state.waiter, state.failures)
        }
        waiter?.resume(returning: failures)
    }

    /// Asked once.
    func failures() async -> [RegistrationID: SendError] {
        await withCheckedContinuation { continuation in
            let settled = state.withLock { state -> [RegistrationID: SendError]? in
                if state.isOver || state.missing <= 0 {
                    state.isOver = true
                    return state.failures
                }
                state.waiter = continuation
                return nil
            }
            if let settled { continuation.resume(returning: settled) }
        }
    }
}
