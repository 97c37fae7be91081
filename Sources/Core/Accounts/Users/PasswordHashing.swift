public import Bytes

/// A memory-hard password hash, which takes long on purpose. The composition root gives scrypt, run off the event loops.
public struct PasswordHashing: Sendable {
    public typealias Hash = @Sendable (Secret<String>) async throws(AccountError) -> String
    public typealias Match = @Sendable (Secret<String>, _ hash: String) async throws(AccountError) -> Bool

    /// - Throws: `AccountError.busy` when too many wait already.
    public let hash: Hash
    /// Whether the hash was made of the password.
    public let matches: Match
    /// A hash that no password has, as costly to try as the others: stands in for names that nobody has.
    public let decoy: String

    public init(decoy: String, hash: @escaping Hash, matches: @escaping Match) {
        self.decoy = decoy
        self.hash = hash
        self.matches = matches
    }
}
