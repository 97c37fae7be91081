public import PushModel

/// Whom an access token speaks for.
public struct BearerIdentity: Sendable, Equatable {
    /// The project of the service account.
    public var project: ProjectNumber
    /// The service account's email address.
    public var account: String
    /// The scope URLs that were granted.
    public var scopes: Set<String>

    public init(project: ProjectNumber, account: String, scopes: Set<String>) {
        self.project = project
        self.account = account
        self.scopes = scopes
    }
}

/// Why an access token proves nothing.
public enum BearerFailure: Error, Sendable, Equatable {
    case expired
    /// Not a token of this service, or of an account that is disabled or gone.
    case invalid
}

/// Reads access tokens. Answers from memory: a door asks on every request.
public protocol BearerAuthenticator: Sendable {
    func identity(accessToken: String) throws(BearerFailure) -> BearerIdentity
}
