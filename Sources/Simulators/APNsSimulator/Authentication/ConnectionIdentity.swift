import Timekeeping

/// Who speaks on one connection: bound at its first accepted push, and what tokens it has shown.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
public struct ConnectionIdentity: Sendable {
    private struct ShownToken {
        let authorization: String
        let issuedAt: Int64
        let firstUsed: Timestamp
    }

    private struct Binding {
        let teamID: String
        let keyID: String
        let scope: ProviderKey.Scope
        let environment: SimulatedEnvironment?
    }

    /// The environment of the listener; `nil` when one listener stands for both.
    public let environment: SimulatedEnvironment?
    public let certificate: ClientCertificate?
    private var binding: Binding?
    private var shown: [String: ShownToken] = [:]
    /// How often a key's token was replaced by another on this connection.
    public private(set) var tokenChanges = 0
    private var tokensShown: Set<Int> = []

    public init(environment: SimulatedEnvironment?, certificate: ClientCertificate? = nil) {
        self.environment = environment
        self.certificate = certificate
    }

    /// The team that the connection serves, once a push was accepted.
    public var teamID: String? { binding?.teamID }

    /// Different provider tokens seen, rejected ones included.
    var distinctTokens: Int { tokensShown.count }

    /// Why the service wants no connection with this certificate.
    var certificateProblem: RejectionReason? {
        guard let certificate else { return nil }
        if certificate.isRevoked { return .badCertificate }
        if let environment, !certificate.environments.contains(environment) { return .badCertificateEnvironment }
        return nil
    }

    /// Whether a token may be used here, given what the connection is bound to.
    func check(
        _ key: ProviderKey, environment: SimulatedEnvironment?, rules: AuthenticationRules
    ) throws(Rejection) {
        if let environment, !key.environments.contains(environment) { throw Rejection(.badEnvironmentKeyID) }
        guard let binding else { return }
        guard binding.teamID == key.teamID else { throw Rejection(rules.otherTeamReason) }
        switch binding.scope {
        case .team:
            guard key.scope == .team else { throw Rejection(.unrelatedKeyID) }
            if let bound = binding.environment, !key.environments.contains(bound) {
                throw Rejection(.badEnvironmentKeyID)
            }
        case .topics(_, let related):
            guard key.id == binding.keyID || key.id == related else { throw Rejection(.unrelatedKeyID) }
        }
    }

    /// Notes the token of a request, unless it replaces another one too soon.
    ///
    /// Too soon means both: the old token is in use here for less than the minimum life, and the new one was issued
    /// less than that apart from it. So a token that all connections of a sender share may be renewed on a connection
    /// that is only minutes old.
    mutating func note(
        _ token: ProviderToken, authorization: String, now: Timestamp, rules: AuthenticationRules
    ) throws(Rejection) {
        tokensShown.insert(authorization.hashValue)
        if let current = shown[token.keyID] {
            guard current.authorization != authorization else { return }
            let use = now.seconds.subtractingReportingOverflow(current.firstUsed.seconds).partialValue
            let apart = token.issuedAt.subtractingReportingOverflow(current.issuedAt).partialValue
            if use < rules.minimumTokenLifeSeconds && apart.magnitude < rules.minimumTokenLifeSeconds.magnitude {
                throw Rejection(.tooManyProviderTokenUpdates)
            }
            tokenChanges += 1
        }
        shown[token.keyID] = ShownToken(authorization: authorization, issuedAt: token.issuedAt, firstUsed: now)
    }

    /// Binds the connection to the key of its first accepted push.
    mutating func bind(to key: ProviderKey, environment: SimulatedEnvironment?) {
        guard binding == nil else { return }
        binding = Binding(teamID: key.teamID, keyID: key.id, scope: key.scope, environment: environment)
    }
}
