/// What happens on a connection. All calls come on the connection's loop, never from within a call that the handler
/// made into the connection.
public protocol ConnectionHandler: AnyObject {
    /// The connection carries bytes now; with TLS, the handshake is done and `connection.security` is known.
    func opened(_ connection: Connection)

    /// The bytes are valid until the call returns.
    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection)

    /// The peer sends no more, but may still read.
    ///
    /// - Parameter truncated: The stream of a TLS connection ended without its closing alert, so bytes may be missing.
    func inputEnded(on connection: Connection, truncated: Bool)

    /// So much was sent that the output buffer is below half its high-water mark again.
    func becameWritable(_ connection: Connection)

    /// The last call: the descriptor is closed, and the connection lets go of its handler.
    func closed(_ connection: Connection, reason: CloseReason)
}

extension ConnectionHandler {
    public func opened(_ connection: Connection) {}

    public func inputEnded(on connection: Connection, truncated: Bool) {
        connection.close()
    }

    public func becameWritable(_ connection: Connection) {}
}

/// Why a connection ended.
public enum CloseReason: Sendable, Equatable {
    /// This side called `close()` or `abort()`.
    case closedLocally
    /// The peer reset the connection, or the network gave it up. `code` is the `errno`.
    case reset(code: Int32)
    /// No address of the host took the connection.
    case cannotConnect(detail: String)
    /// The caller allows none of the host's addresses.
    case addressRefused
    /// The connect or handshake deadline passed.
    case timedOut
    /// The handshake failed, or a record was wrong.
    case tlsFailed(detail: String)
    /// Nothing was read or written for the idle limit.
    case idle
    /// The peer took no bytes for the stall limit.
    case stalled
    /// The event loop is ending.
    case loopStopped
}
