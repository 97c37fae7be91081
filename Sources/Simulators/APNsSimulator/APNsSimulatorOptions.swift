/// How a simulator listens and behaves.
public struct APNsSimulatorOptions: Sendable {
    /// One listening address.
    public struct Endpoint: Sendable {
        /// `nil`: one listener for both environments; a request belongs to the one that its host name tells, if any.
        public var environment: SimulatedEnvironment?
        /// A numeric address.
        public var address: String
        /// 0 lets the system choose.
        public var port: UInt16

        public init(environment: SimulatedEnvironment? = nil, address: String = "127.0.0.1", port: UInt16 = 0) {
            self.environment = environment
            self.address = address
            self.port = port
        }
    }

    public var endpoints: [Endpoint]
    public var rules = JudgeRules()
    public var storage = StorageRules()
    public var connections = ConnectionRules()
    /// Requests, and connections, that the log keeps at least.
    public var logCapacity = 5000
    /// A file that gets each push as one line of JSON.
    public var recordingPath: String?

    public init(endpoints: [Endpoint] = [Endpoint()]) {
        self.endpoints = endpoints
    }
}

/// The SETTINGS and limits of connections. Source: what the live service was seen to send.
public struct ConnectionRules: Sendable {
    public var headerTableBytes = 4096
    public var initialWindowBytes = 65_535
    public var maximumFrameBytes = 16_384
    public var maximumHeaderListBytes = 8000
    /// Streams before the first request with a valid token.
    public var firstStreamLimit = 1
    /// Streams afterwards, and for certificates from the start.
    public var authorizedStreamLimit = 1000
    public var maximumConnections = 10_000
    /// Request bytes beyond which a body is no longer kept; larger than any payload allowed.
    public var maximumBodyBytes = 65_536

    public init() {}
}
