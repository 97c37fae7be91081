/// The bounds of one connection.
public struct ConnectionLimits: Sendable {
    /// From accept, or from the end of the TCP connect, to the end of the TLS handshake.
    public var handshakeDeadline: Duration = .seconds(10)
    /// How long a connection may be silent in both directions; `nil` is for ever.
    public var idleLimit: Duration?
    /// How long the peer may take no bytes while some wait for it.
    public var stallLimit: Duration = .seconds(30)
    /// Above so many waiting bytes `isWritable` is false.
    public var highWaterBytes = 262_144
    /// How long a closing connection waits for the peer's end, so that a reset does not overtake the last answer.
    public var lingerLimit: Duration = .seconds(2)

    public init() {}
}
