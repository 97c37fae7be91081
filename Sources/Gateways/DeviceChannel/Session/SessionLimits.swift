/// The bounds of one device session.
public struct SessionLimits: Sendable {
    /// From the end of the TLS handshake to the whole login.
    public var loginDeadline: Duration = .seconds(30)
    /// Longer packets of a client end the session.
    public var maximumPayloadBytes = 65_536
    /// Messages that may be written without having been acknowledged; then the inbox waits.
    public var unacknowledgedMessages = 100
    /// Packets of a client whose effects are not committed yet; then reading waits.
    public var uncommittedPackets = 100
    /// How long the confirmation of an upstream message waits for a packet to travel with.
    public var confirmationDelay: Duration = .seconds(1)
    /// After so many packets of a client that were not confirmed, a confirmation waits for nothing. Chromium takes no
    /// more messages of an app while 20 of them are unconfirmed.
    public var unconfirmedPackets: Int32 = 10
    /// Silence that is always allowed; twice the client's own interval when that is longer. The longest interval of a
    /// client is 28 minutes.
    public var silence: Duration = .seconds(31 * 60)
    /// An interval that a client asks for counts only up to this.
    public var longestInterval: Duration = .seconds(24 * 3_600)
    /// How long a silent client may take to answer a ping.
    public var pingDeadline: Duration = .seconds(60)
    /// After this time a packet shows that a client which never acknowledges has read what was written before.
    public var implicitAcknowledgement: Duration = .seconds(30)
    /// Sent to clients as the interval of their heartbeats; `nil` leaves it to them.
    public var heartbeatInterval: Duration?

    /// Asks devices to acknowledge each message at once, not only those whose sender wants a receipt. Costs a packet
    /// and a commit for each; good for watching what happens.
    public var wantsPromptAcknowledgements = false

    public init() {}
}
