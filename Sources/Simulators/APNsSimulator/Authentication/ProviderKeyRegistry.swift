import Bytes
import Crypto
import Timekeeping

/// The keys that the service knows, and the tokens that it has found genuine.
struct ProviderKeyRegistry {
    private static let maximumVerifiedTokens = 1024

    private(set) var keys: [String: ProviderKey] = [:]
    /// Tokens whose signature was checked, by their text: a sender uses one for thousands of requests.
    private var verified: [String: ProviderToken] = [:]

    mutating func register(_ key: ProviderKey) {
        keys[key.id] = key
        verified = [:]
    }

    mutating func remove(id: String) {
        keys[id] = nil
        verified = [:]
    }

    mutating func removeAll() {
        self = ProviderKeyRegistry()
    }

    /// Proves that a token is of a known key and its team, well signed, and not too old.
    mutating func verify(
        authorization: String, now: Timestamp, rules: AuthenticationRules
    ) throws(Rejection) -> (token: ProviderToken, key: ProviderKey) {
        let token = try genuineToken(authorization, rules: rules)
        guard let key = keys[token.keyID] else { throw Rejection(.invalidProviderToken) }
        let age = now.seconds.subtractingReportingOverflow(token.issuedAt).partialValue
        if age < -rules.maximumClockSkewSeconds { throw Rejection(.invalidProviderToken) }
        if age > rules.maximumTokenAgeSeconds { throw Rejection(.expiredProviderToken) }
        return (token, key)
    }

    private mutating func genuineToken(
        _ authorization: String, rules: AuthenticationRules
    ) throws(Rejection) -> ProviderToken {
        if let token = verified[authorization] { return token }
        guard let token = ProviderToken(authorization: authorization) else { throw Rejection(.invalidProviderToken) }
        if keys[token.keyID] == nil && rules.trustsUnknownKeys {
            keys[token.keyID] = ProviderKey(id: token.keyID, teamID: token.teamID, publicKey: nil)
        }
        guard let key = keys[token.keyID], key.teamID == token.teamID,
            key.publicKey?.isValid(signature: token.signature, for: token.signedBytes) ?? true
        else { throw Rejection(.invalidProviderToken) }
        if verified.count >= Self.maximumVerifiedTokens { verified = [:] }
        verified[authorization] = token
        return token
    }
}
