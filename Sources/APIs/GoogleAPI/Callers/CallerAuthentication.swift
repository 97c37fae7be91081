public import HTTPSemantics
public import PushModel

/// Decides whether the caller of an operation may call it. Without side effects, because clients repeat requests that
/// were answered with 401.
public struct CallerAuthentication: Sendable {
    private let verifier: any AccessTokenVerifier

    public init(verifier: any AccessTokenVerifier) {
        self.verifier = verifier
    }

    /// The caller of a request.
    ///
    /// - Parameter scopes: The token must have one of them.
    public func caller(
        of head: HTTPRequestHead, for operation: GoogleError.Operation, anyOf scopes: OAuthScopes = .messaging
    ) throws(GoogleError) -> Caller {
        guard let token = RequestCredentials.accessToken(in: head) else { throw .credentialsMissing(operation) }
        let caller: Caller
        do {
            caller = try verifier.caller(presenting: token)
        } catch {
            throw error == .expired ? .tokenExpired(operation) : .credentialsInvalid(operation)
        }
        guard !caller.scopes.isDisjoint(with: scopes) else { throw .scopesInsufficient(operation) }
        return caller
    }

    /// The project that a request names, when its caller may act in it.
    ///
    /// - Parameters:
    ///   - project: The project of that name, `nil` when there is none: the caller does not learn the difference.
    ///   - name: As the request wrote it: id or number.
    public func require(
        _ permission: String, of caller: Caller, in project: Project?, named name: some StringProtocol
    ) throws(GoogleError) -> Project {
        guard let project, caller.account.project == project.number else {
            throw .permissionDenied(permission, project: name)
        }
        return project
    }
}
