public import Transport

/// Where the gateway connects and how much it takes on.
public struct APNsGatewayConfiguration: Sendable {
    public var production = APNsEndpoint.production
    public var sandbox = APNsEndpoint.sandbox
    /// Whose certificates are trusted.
    public var trust = TLSClientContext.Trust.system
    /// Connections of one credential and environment.
    public var maximumConnections = 8
    /// Pushes of one credential and environment that wait for a stream; more are sent back to wait in the store.
    public var maximumQueuedPushes = 30_000
    /// How long a push waits for a free stream before another connection is opened.
    public var waitBeforeGrowing: Duration = .milliseconds(100)
    /// How long a push waits for a free stream before it is sent back to wait in the store.
    public var longestWait: Duration = .seconds(15)
    /// The shortest time between two connections opened for lack of streams.
    public var pauseBetweenGrowing: Duration = .seconds(1)
    public var timings = APNsTimings()

    public init() {}

    /// Both environments behind one address: the simulator, a test.
    public init(everythingAt endpoint: APNsEndpoint, trust: TLSClientContext.Trust) {
        production = endpoint
        sandbox = endpoint
        self.trust = trust
    }
}
