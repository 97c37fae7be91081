/// A timer that an event loop will fire once. Belongs to the loop's thread.
///
/// `@unchecked Sendable`: every property but `deadline` is touched on the loop only; `cancel()` checks that.
public final class ScheduledTimer: @unchecked Sendable {
    public let deadline: MonotonicTime
    let order: UInt64
    var action: (() -> Void)?
    /// Where the heap keeps this timer; `nil` once it fired or was cancelled.
    var heapIndex: Int?
    private unowned let loop: EventLoop

    init(deadline: MonotonicTime, order: UInt64, loop: EventLoop, action: @escaping () -> Void) {
        self.deadline = deadline
        self.order = order
        self.loop = loop
        self.action = action
    }

    /// Whether the timer has yet to fire.
    public var isPending: Bool { heapIndex != nil }

    /// Takes the timer back; no effect after it fired. On the loop's own thread only.
    public func cancel() {
        loop.checkThread()
        loop.timers.remove(self)
        action = nil
    }
}

extension ScheduledTimer {
    /// Earlier deadlines first; equal ones in the order in which they were scheduled.
    static func precedes(_ left: ScheduledTimer, _ right: ScheduledTimer) -> Bool {
        left.deadline == right.deadline ? left.order < right.order : left.deadline < right.deadline
    }
}
