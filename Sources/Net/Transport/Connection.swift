import CLinux
public import EventLoop
import Glibc

/// One TCP connection, plain or with TLS. It lives and dies on one event loop; every call belongs on that loop.
///
/// `@unchecked Sendable`: all state is touched on the loop's thread only; the reference may travel.
public final class Connection: @unchecked Sendable {
    enum State {
        /// A client that looks for an address that answers.
        case connecting
        /// A server that makes no TLS object before the peer has sent something.
        case awaitingFirstByte
        case handshaking(OpenSSLEngine)
        case open
        /// `close()` was called; the rest of the output is on its way.
        case flushing
        /// All is sent; waiting for the peer's end, whatever it still sends is dropped.
        case lingering
        case closed
    }

    public let loop: EventLoop
    private let sharedLimits: Shared<ConnectionLimits>
    public var limits: ConnectionLimits { sharedLimits.value }
    /// Takes the events. Held until `closed` was reported.
    public var handler: (any ConnectionHandler)?
    /// What the TLS handshake settled; `nil` on a plain connection.
    public var security: ConnectionSecurity? { sharedSecurity?.value }
    var sharedSecurity: Shared<ConnectionSecurity>?
    /// The peer's numeric address without its port.
    public internal(set) var peerAddress = ""

    var state: State
    var descriptor: Int32
    var engine: (any TLSEngine)?
    var outgoing = OutgoingBuffer()
    var isAboveHighWater = false
    var isReadingPaused = false
    var isReadScheduled = false
    var hasInputEnded = false
    /// The kernel said that the peer's end is queued behind the bytes.
    var sawPeerClose = false
    var writeFailure: CloseReason?
    var acceptance: Acceptance?
    var connector: Connector?
    var lastActivity: MonotonicTime
    var deadlineTimer: ScheduledTimer?
    var idleTimer: ScheduledTimer?
    var stallTimer: ScheduledTimer?
    /// When the peer last took bytes.
    var lastProgress: MonotonicTime

    init(descriptor: Int32, state: State, loop: EventLoop, limits: Shared<ConnectionLimits>) {
        self.descriptor = descriptor
        self.state = state
        self.loop = loop
        sharedLimits = limits
        lastActivity = loop.batchTime
        lastProgress = loop.batchTime
        idleLimit = limits.value.idleLimit
    }

    /// How long the connection may be silent in both directions before it is closed; `nil` is for ever.
    public var idleLimit: Duration? {
        didSet { armIdleTimer() }
    }

    /// Whether bytes can be written and events are still to come.
    public var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Whether few enough bytes wait that more output is welcome.
    public var isWritable: Bool { isOpen && !isAboveHighWater }

    /// Bytes that the kernel has not taken yet.
    public var bufferedBytes: Int { outgoing.count }

    /// Stops reading; what the peer sends then waits in the kernel and fills its window.
    public func pauseReading() {
        isReadingPaused = true
    }

    public func resumeReading() {
        guard isReadingPaused else { return }
        isReadingPaused = false
        scheduleRead()
    }

    func open() {
        state = .open
        deadlineTimer?.cancel()
        deadlineTimer = nil
        armIdleTimer()
        handler?.opened(self)
    }
}

extension Connection: DescriptorHandler {
    public func ready(_ events: ReadyEvents) {
        if !events.isDisjoint(with: [.hangUp, .peerClosed]) { sawPeerClose = true }
        switch state {
        case .connecting: connector?.socketIsReady(events)
        case .awaitingFirstByte: if events != .writable { acceptance?.admit(self) }
        case .handshaking(let handshake): advance(handshake)
        case .open, .flushing: moveBytes()
        case .lingering: discardInput()
        case .closed: break
        }
    }

    private func moveBytes() {
        if !outgoing.isEmpty { flush() }
        if isOpen { readAvailable() }
    }

    public func loopIsStopping() {
        terminate(.loopStopped)
    }
}
