import EventLoop

/// A deadline that moves with every request. Moving it later costs no timer: the old one looks again when it fires.
final class LazyDeadline {
    private let loop: EventLoop
    private let action: () -> Void
    private var deadline: MonotonicTime?
    private var timer: ScheduledTimer?

    /// - Parameter action: Called when the deadline has passed; it must not keep the owner alive.
    init(loop: EventLoop, action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
    }

    func set(after duration: Duration) {
        let time = loop.batchTime.adding(duration)
        deadline = time
        if let timer, timer.deadline <= time { return }
        arm(for: time)
    }

    /// Nothing is due until the next `set`.
    func clear() {
        deadline = nil
    }

    /// Gives the timer back.
    func end() {
        deadline = nil
        timer?.cancel()
        timer = nil
    }

    private func arm(for time: MonotonicTime) {
        timer?.cancel()
        timer = loop.schedule(after: time.since(.now())) { [unowned self] in fired() }
    }

    private func fired() {
        timer = nil
        guard let deadline else { return }
        guard deadline <= loop.batchTime else { return arm(for: deadline) }
        self.deadline = nil
        action()
    }
}
