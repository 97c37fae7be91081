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

    /// Hears the first outcome. A sender who is still there is told that the device gets too much, and sends again
    /// himself; whatever else APNs did not take at first goes on being tried, because it is durable.
    func hear(_ outcome: FirstOutcome) -> WaitingDecision {
        switch outcome {
        case .finished(let end):
            settle(end)
        case .waiting(let error?) where error.kind == .deviceQuotaExceeded:
            return settle(.failed(error)) ? .giveUp : .keepTrying
        case .waiting:
            settle(nil)
        }
        return .keepTrying
    }

    /// - Parameter outcome: `nil` when patience ended or the delivery goes on being tried.
    /// - Returns: Whether nothing was settled before.
    @discardableResult
    func settle(_ outcome: DeliveryOutcome?) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<DeliveryOutcome?, Never>?) in
            defer { if case .settled = state {} else { state = .settled(outcome) } }
            return switch state {
            case .open: (true, nil)
            case .awaited(let continuation): (true, continuation)
            case .settled: (false, nil)
            }
        }
        waiter?.resume(returning: outcome)
        return isFirst
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
