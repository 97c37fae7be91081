/// The numbers and choices of authentication. Source: Apple, "Establishing a token-based connection to APNs".
public struct AuthenticationRules: Sendable {
    /// A provider token issued longer ago has expired.
    public var maximumTokenAgeSeconds: Int64 = 3600
    /// How far in the future a token may be issued; Apple publishes no number.
    public var maximumClockSkewSeconds: Int64 = 300
    /// A connection may not change its token more often than this.
    public var minimumTokenLifeSeconds: Int64 = 1200
    /// The answer to a token of another team on a connection that is bound to one: not documented.
    public var otherTeamReason = RejectionReason.invalidProviderToken
    /// Takes any well-formed token of a key that nobody registered, and remembers the team that used it first.
    public var trustsUnknownKeys = false

    public init() {}
}
