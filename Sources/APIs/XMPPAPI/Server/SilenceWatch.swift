import EventLoop

/// Notices that a peer says nothing: first until it has logged in, then at any time. Belongs to its loop.
final class SilenceWatch {
    enum Verdict {
        /// It may be asked for a sign of life.
        case silent
        /// It gave none, or did not log in in time.
        case dead
    }

    private let loop: EventLoop
    private let silenceLimit: Duration
    private let answerLimit: Duration
    private let report: (Verdict) -> Void
    private var lastHeard: MonotonicTime?
    private var isAsked = false
    private var timer: ScheduledTimer?

    /// - Parameter report: Must not keep the owner alive.
    init(
        loop: EventLoop, loginDeadline: Duration, silenceLimit: Duration, answerLimit: Duration,
        report: @escaping (Verdict) -> Void
    ) {
        self.loop = loop
        self.silenceLimit = silenceLimit
        self.answerLimit = answerLimit
        self.report = report
        arm(after: loginDeadline)
    }

    /// The peer, which has logged in, has said something.
    func heard() {
        if lastHeard == nil || isAsked {
            timer?.cancel()
            arm(after: silenceLimit)
        }
        lastHeard = loop.batchTime
        isAsked = false
    }

    func end() {
        timer?.cancel()
        timer = nil
    }

    private func arm(after delay: Duration) {
        timer = loop.schedule(after: delay) { [unowned self] in check() }
    }

    private func check() {
        timer = nil
        guard let lastHeard else { return report(.dead) }
        let silence = loop.batchTime.since(lastHeard)
        if silence < silenceLimit { return arm(after: silenceLimit - silence) }
        if isAsked { return report(.dead) }
        isAsked = true
        arm(after: answerLimit)
        report(.silent)
    }
}
