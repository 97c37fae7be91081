/// The seam between connections and TLS: what a connection needs once its handshake is done, on a non-blocking socket.
protocol TLSEngine: AnyObject {
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelRead
    /// After `blocked` the same bytes are to be written again, or more that begin with them.
    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite
    /// Whether everything was read that had arrived at the last look at the socket, and the socket held no more.
    var holdsAllInput: Bool { get }
    /// Sends the closing alert, if that can be done at once.
    func close()
}

/// How far a handshake is.
enum TLSStep {
    /// The engine goes on from here.
    case done(ConnectionSecurity, any TLSEngine)
    case waiting
    case failed(CloseReason)
}

enum ChannelRead {
    case bytes(Int)
    case blocked
    case end(truncated: Bool)
    case failed(CloseReason)
}

enum ChannelWrite {
    case bytes(Int)
    case blocked
    case failed(CloseReason)
}

/// What a TLS handshake settled.
public struct ConnectionSecurity: Sendable, Equatable {
    /// The protocol chosen by ALPN (RFC 7301): `h2`; `nil` when the peers did not agree on one.
    public var applicationProtocol: String?
    /// The host name that the client asked for (RFC 6066 §3), as a server sees it.
    public var serverName: String?
    /// The peer's certificate in DER; on a server it is NOT verified against any authority.
    public var peerCertificateDER: [UInt8]?
    /// `TLSv1.3`
    public var version: String
}
