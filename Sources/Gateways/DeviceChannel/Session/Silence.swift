import EventLoop

/// When a silent client is asked whether it is there, and when it is given up.
struct Silence: Sendable {
    enum Verdict: Equatable {
        case fine, ping, dead
    }

    private let limit: Duration
    private(set) var deadline: MonotonicTime
    private var isPinged = false
    /// The client has sent a heartbeat of either kind: no answer to the next one means that it is gone. Some clients
    /// never do, and say nothing for days.
    private var knowsHeartbeats = false

    init(limit: Duration, now: MonotonicTime) {
        self.limit = limit
        deadline = now.adding(limit)
    }

    /// Any byte shows that the client is there, however late its packet is understood.
    mutating func heard(at now: MonotonicTime) {
        deadline = now.adding(limit)
        isPinged = false
    }

    mutating func heartbeatRead() {
        knowsHeartbeats = true
    }

    mutating func timePassed(_ now: MonotonicTime, pingDeadline: Duration) -> Verdict {
        guard now >= deadline else { return .fine }
        if !isPinged {
            isPinged = true
            deadline = now.adding(pingDeadline)
            return .ping
        }
        guard !knowsHeartbeats else { return .dead }
        isPinged = false
        deadline = now.adding(limit)
        return .fine
    }
}
