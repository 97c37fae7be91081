public import PushModel

/// Who an access token speaks for.
public struct Caller: Sendable, Equatable {
    public var account: ServiceAccount
    public var scopes: OAuthScopes

    public init(account: ServiceAccount, scopes: OAuthScopes) {
        self.account = account
        self.scopes = scopes
    }
}

/// Why an access token is not taken.
public enum AccessTokenError: Error, Sendable, Equatable {
    /// Not one of ours, changed, or of an account that is gone or switched off.
    case invalid
    case expired
}

/// Reads access tokens. Called on every request: it answers from memory.
public protocol AccessTokenVerifier: Sendable {
    func caller(presenting token: String) throws(AccessTokenError) -> Caller
}
