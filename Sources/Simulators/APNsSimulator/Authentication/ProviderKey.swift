public import Crypto

/// A signing key of a developer team, as the service knows it.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
public struct ProviderKey: Sendable {
    /// What a key may be used for.
    public enum Scope: Sendable, Equatable {
        /// Any topic of the team; several keys of a team may share a connection.
        case team
        /// These bundle ids only, alone on its connection or with the one related key.
        case topics(Set<String>, relatedKeyID: String?)
    }

    /// `kid`: 10 characters.
    public var id: String
    /// `iss`: 10 characters.
    public var teamID: String
    public var scope: Scope
    /// Where the key is valid: one environment for new keys, both for old ones.
    public var environments: Set<SimulatedEnvironment>
    /// Checks signatures. `nil`: the signature is not looked at, only key and team must fit.
    public var publicKey: P256PublicKey?

    public init(
        id: String, teamID: String, publicKey: P256PublicKey?, scope: Scope = .team,
        environments: Set<SimulatedEnvironment> = Set(SimulatedEnvironment.allCases)
    ) {
        self.id = id
        self.teamID = teamID
        self.scope = scope
        self.environments = environments
        self.publicKey = publicKey
    }

    /// Whether the key may send to a topic, given as bundle id without the suffix of the push type.
    func allows(bundleID: String, topic: String) -> Bool {
        switch scope {
        case .team: true
        case .topics(let topics, _): topics.contains(bundleID) || topics.contains(topic)
        }
    }
}
