import EventLoop
import HTTPSemantics

/// One request on an HTTP/2 connection, from its header section to the end of its answer.
struct HTTP2Stream {
    enum Phase {
        case receiving(BodyCollector)
        case answering(RunningRequest)
        /// Handed to the session; windows decide when it leaves.
        case sending
    }

    let head: HTTPRequestHead
    /// What the handler will do; `nil` when it was never asked.
    var plan: HTTPPlan?
    var phase: Phase
    /// When receiving or sending has taken too long; `nil` while a handler is at work.
    var deadline: MonotonicTime?
    /// An answer that comes piece by piece waits until its last piece has left.
    var drained: CheckedContinuation<Void, Never>?

    var pendingBodyBytes: Int {
        if case .receiving(let body) = phase { body.bytes.count } else { 0 }
    }
}
