import EventLoop
import HTTPSemantics

/// One request on an HTTP/2 connection, from its header section to the end of its answer.
///
/// `@unchecked Sendable`: touched on one loop's thread only.
final class HTTP2Stream: @unchecked Sendable {
    enum Phase {
        case receiving(BodyCollector)
        case answering(RunningRequest)
        /// Handed to the session; windows decide when it leaves.
        case sending
        case closed
    }

    let id: Int32
    let head: HTTPRequestHead
    var phase = Phase.sending
    /// When receiving or sending has taken too long; `nil` while a handler is at work.
    var deadline: MonotonicTime?

    init(id: Int32, head: HTTPRequestHead) {
        self.id = id
        self.head = head
    }

    var pendingBodyBytes: Int {
        if case .receiving(let body) = phase { body.bytes.count } else { 0 }
    }

    func isAnswering(_ running: RunningRequest) -> Bool {
        if case .answering(let current) = phase { current === running } else { false }
    }
}
