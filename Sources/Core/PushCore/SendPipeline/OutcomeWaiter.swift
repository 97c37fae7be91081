import PushModel
import Synchronization

/// The outcome of a delivery, or that nobody waits for it any longer: whichever comes first.
final class OutcomeWaiter: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<DeliveryOutcome?, Never>)
        case settled(DeliveryOutcome?)
    }

    private let state = Mutex(State.open)

    /// - Parameter outcome: `nil` when patience ended or the delivery goes on being tried.
    func settle(_ outcome: DeliveryOutcome?) {
        let waiter = state.withLock { state -> CheckedContinuation<DeliveryOutcome?, Never>? in
            switch state {
            case .open:
                state = .settled(outcome)
                return nil
            case .awaited(let continuation):
                state = .settled(outcome)
                return continuation
            case .settled: return nil
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// Asked once.
    func value() async -> DeliveryOutcome? {
        await withCheckedContinuation { continuation in
            let settled = state.withLock { state -> DeliveryOutcome?? in
                if case .settled(let outcome) = state { return .some(outcome) }
                state = .awaited(continuation)
                return nil
            }
            if let settled { continuation.resume(returning: settled) }
        }
    }
}
