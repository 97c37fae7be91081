/// How a listener accepts.
public struct ListenerOptions: Sendable {
    /// How connections come to the loops.
    public enum Spreading: Sendable {
        /// Every loop listens on a socket of its own and the kernel spreads the connections over them.
        case kernel
        /// The first loop accepts and hands the connections out in turn: even for few long connections.
        case inTurn
    }

    /// A numeric IPv4 or IPv6 address; `::` takes both families.
    public var address = "127.0.0.1"
    /// 0 lets the kernel choose; `Listener.port` says which.
    public var port: UInt16 = 0
    public var spreading = Spreading.kernel
    /// Otherwise clients wait until `Listener.accept` is called.
    public var acceptsAtOnce = true
    /// Connections that may wait to be accepted.
    public var backlog: Int32 = 4_096
    /// Connections at a time over all loops; more are closed right after they are accepted.
    public var maximumConnections = 100_000
    /// TLS handshakes at a time on each loop; further ones wait, within their deadline.
    public var maximumHandshakes = 256
    public var limits = ConnectionLimits()
    /// `nil` for plain TCP.
    public var tls: TLSServerContext?
    /// Asked about each accepted connection on its loop, before anything is read: for simulating faults.
    public var admission: (@Sendable () -> Admission)?
    /// Told of TLS connections that did not reach their handler: the peer's address and the reason.
    public var onHandshakeFailure: (@Sendable (String, CloseReason) -> Void)?

    public init() {}
}

/// What happens to a connection that was just accepted.
public enum Admission: Sendable, Equatable {
    case admitted
    /// Closed at once.
    case refused
    /// Left alone for that time, then served.
    case admittedLater(Duration)
}
