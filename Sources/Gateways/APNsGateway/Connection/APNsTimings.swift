/// Deadlines of a connection.
public struct APNsTimings: Sendable {
    /// Look-up, TCP and TLS, and then the service's first SETTINGS.
    public var connect: Duration = .seconds(10)
    /// From submitting a request to its answer.
    public var request: Duration = .seconds(15)
    /// Silence with requests under way, after which a PING is sent.
    public var silenceBeforePing: Duration = .seconds(5)
    /// Silence without requests, after which a PING is sent.
    public var idleBeforePing: Duration = .seconds(60)
    /// How long a PING may stay unanswered.
    public var pingAnswer: Duration = .seconds(5)
    /// How long a connection that gets no more requests may wait for its answers.
    public var drain: Duration = .seconds(30)
    /// How long the service may allow one stream only, with pushes waiting, before the connection is replaced.
    public var stuckAtOneStream: Duration = .seconds(10)
    /// Without a request for so long, a connection is closed.
    public var reapIdle: Duration = .seconds(3_600)

    public init() {}
}
