public import Transport

/// How the gateway speaks to push services.
public struct WebPushGatewayConfiguration: Sendable {
    /// Whether endpoints on this machine are allowed. Only for tests and the emulator.
    public var allowsLoopback = false
    /// How push services reach who runs this server: a `mailto:` or `https:` URI. Some take no push without.
    public var subject: String?
    /// Whose signature makes a push service's certificate good.
    public var trust = TLSClientContext.Trust.system
    /// For look-up, connect and TLS handshake.
    public var connectDeadline: Duration = .seconds(10)
    /// For everything from the door of the gateway to the end of the answer.
    public var requestDeadline: Duration = .seconds(30)
    /// Connections at a time to one push service.
    public var connectionsPerService = 8

    public init() {}
}
