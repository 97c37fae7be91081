import Synchronization

/// Ends the waits of senders who hear nothing. All wait equally long, so those who begin within a moment share a timer.
final class AnswerPatience: Sendable {
    /// How long a sender waits, at least; 0 for not at all. Unit: milliseconds.
    let milliseconds: Int64
    private let momentMilliseconds: Int64
    private let delays: any DelayScheduler
    private let beginners = Mutex<[OutcomeWaiter]>([])

    init(milliseconds: Int64, delays: any DelayScheduler) {
        self.milliseconds = milliseconds
        self.delays = delays
        momentMilliseconds = max(1, min(50, milliseconds / 20))
    }

    /// Settles the waiter with nothing when patience ends.
    func begin(_ waiter: OutcomeWaiter) {
        let isFirst = beginners.withLock { beginners in
            beginners.append(waiter)
            return beginners.count == 1
        }
        guard isFirst else { return }
        delays.after(milliseconds: momentMilliseconds) { [self] in
            let waiters = beginners.withLock { beginners in
                defer { beginners = [] }
                return beginners
            }
            delays.after(milliseconds: milliseconds) { for waiter in waiters { waiter.settle(nil) } }
        }
    }
}
