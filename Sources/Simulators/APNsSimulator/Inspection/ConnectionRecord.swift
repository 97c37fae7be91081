public import Timekeeping

/// What one connection did: for assertions about a sender's behaviour.
public struct ConnectionRecord: Sendable, Equatable {
    /// Nth connection, from 1.
    public var number: Int
    public var environment: SimulatedEnvironment?
    /// The protocol chosen by ALPN; `nil` when the client offered none.
    public var applicationProtocol: String?
    /// The host name that the client asked for in its handshake.
    public var serverName: String?
    /// Topics of the client certificate, if one was shown.
    public var certificateTopics: [String]?
    public var openedAt: Timestamp
    public var closedAt: Timestamp?
    public var requests = 0
    public var openStreams = 0
    public var maximumOpenStreams = 0
    /// Different provider tokens shown.
    public var distinctTokens = 0
    /// Streams that were refused because they were beyond the limit.
    public var refusedStreams = 0
    /// Requests sent before the client had confirmed our SETTINGS.
    public var requestsBeforeSettings = 0
    /// Requests sent although the client had already processed our GOAWAY, as its answer to a later PING shows.
    public var requestsAfterGoAway = 0
    public var goAwaySent = false
    /// PINGs of the client.
    public var pings = 0
    /// Refused pushes; 410 does not count.
    public var errors = 0
    /// Why the connection ended.
    public var end: String?

    init(number: Int, environment: SimulatedEnvironment?, openedAt: Timestamp) {
        self.number = number
        self.environment = environment
        self.openedAt = openedAt
    }
}
