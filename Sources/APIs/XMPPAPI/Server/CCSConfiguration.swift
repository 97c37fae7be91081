/// The bounds of the connection server.
public struct CCSConfiguration: Sendable {
    /// Messages of one connection that may wait for their answers; then nothing more is read from it.
    public var pendingMessages = 100
    /// Connections of one sender. Source: GCM, "Cloud Connection Server".
    public var connectionsPerSender = 1_000
    /// Wrong credentials after which a connection ends.
    public var failedLogins = 3
    /// From the end of the TLS handshake until the resource is bound.
    public var loginDeadline: Duration = .seconds(30)
    /// After so long a silence the app server is asked for a sign of life.
    public var silenceLimit: Duration = .seconds(240)
    /// How long that sign may take.
    public var answerLimit: Duration = .seconds(60)
    /// How long a connection that is told to go may stay.
    public var drainPatience: Duration = .seconds(300)
    /// How often it is looked whether the senders that are connected still exist.
    public var senderCheckInterval: Duration = .seconds(1)
    /// What the app server may leave unread before upstream messages are held back.
    public var unreadBytes = 4 << 20

    public init() {}
}
