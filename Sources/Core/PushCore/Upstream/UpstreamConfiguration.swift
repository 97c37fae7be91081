/// How upstream messages are handed out.
public struct UpstreamConfiguration: Sendable, Equatable {
    /// Messages that a connection may have without acknowledging them. Source: FCM XMPP protocol, flow control.
    public var window = 100
    /// After how long a connection gets an unacknowledged message again.
    public var resendAfterMilliseconds: Int64 = 60_000
    /// How long to wait when the store does not answer.
    public var pauseMilliseconds: Int64 = 1_000

    public init() {}
}
