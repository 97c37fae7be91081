public import Transport

/// How a client connects, and what it bears.
public struct HTTPClientConfiguration: Sendable {
    /// A host and port to connect to instead of the URL's.
    public struct Endpoint: Sendable, Hashable {
        public var host: String
        public var port: UInt16

        public init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    /// Whose signature makes a server's certificate good.
    public var trust = TLSClientContext.Trust.system
    /// The client's own certificate, for servers that ask for one.
    public var identity: TLSIdentity?
    /// For look-up, connect and TLS handshake.
    public var connectDeadline: Duration = .seconds(10)
    /// For everything from `send` to the last byte of the answer.
    public var requestDeadline: Duration = .seconds(30)
    /// Body bytes, decoded.
    public var maximumResponseBytes = 16_777_216
    /// Connections at a time to one origin; further requests wait.
    public var maximumConnectionsPerOrigin = 8
    /// How long a connection without a request is kept.
    public var idleLimit: Duration = .seconds(60)
    /// Connects here whatever the URL's host is; certificates are still verified for the URL's host.
    public var redirect: Endpoint?
    /// Goes through this proxy: CONNECT for `https`, absolute targets for `http` (RFC 9110 §9.3.6).
    public var proxy: Endpoint?

    /// Whether to connect to a numeric address, as it was just looked up; `nil` allows all. For hosts that strangers name.
    public var allowsAddress: (@Sendable (String) -> Bool)?

    public init() {}
}
