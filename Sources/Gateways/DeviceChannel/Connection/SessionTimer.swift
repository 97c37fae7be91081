import EventLoop

/// The one timer of a connection. A deadline that moves later costs nothing: the old timer looks again when it fires.
struct SessionTimer {
    private var timer: ScheduledTimer?

    /// Whether nothing needs to be done for a deadline.
    func fires(by deadline: MonotonicTime?) -> Bool {
        guard let timer, let deadline else { return timer == nil && deadline == nil }
        return timer.isPending && timer.deadline <= deadline
    }

    /// - Parameter action: Called at the deadline or before it, once; it must not keep the owner alive.
    mutating func arm(for deadline: MonotonicTime?, on loop: EventLoop, _ action: @escaping () -> Void) {
        guard let deadline else { return cancel() }
        if fires(by: deadline) { return }
        timer?.cancel()
        timer = loop.schedule(after: deadline.since(.now()), action)
    }

    mutating func cancel() {
        timer?.cancel()
        timer = nil
    }
}
