import Accounts
import GoogleAPI
import HTTPSemantics
import PushCore
import PushModel

/// Decides who may call what, before anything else of a request is looked at.
struct ConsoleGate: Sendable {
    /// What somebody whose password another person chose may do.
    private static let allowedBeforePassword: Set<String> = [
        "session.get", "session.delete", "user.changeOwnPassword",
    ]

    let accounts: Accounts
    let directory: any ProjectDirectory
    let origins: ConsoleOrigins

    /// The request with its visitor and project.
    /// - Throws: 401, 403, and 404 for projects that the caller may not know of.
    func admit(_ routed: RoutedRequest, to endpoint: ConsoleEndpoint) async throws(GoogleError) -> ConsoleRequest {
        try origins.checkHost(of: routed.head)
        if endpoint.isGuarded { try origins.checkOrigin(of: routed.head) }
        let visitor = try await visitor(of: routed.head)
        guard endpoint.access != .anybody else { return ConsoleRequest(routed, visitor: visitor) }
        guard let visitor else { throw .notSignedIn }
        if endpoint.isGuarded { try checkForgery(routed.head, visitor) }
        guard !visitor.user.mustChangePassword || Self.allowedBeforePassword.contains(endpoint.name) else {
            throw GoogleError(
                .permissionDenied,
                "Choose a password of your own first: POST /console/v1/users/me/password with old and new.")
        }
        switch endpoint.access {
        case .anybody, .signedIn: return ConsoleRequest(routed, visitor: visitor)
        case .server:
            guard visitor.user.isAdministrator else {
                throw GoogleError(.permissionDenied, "Only administrators of the server may do this.")
            }
            return ConsoleRequest(routed, visitor: visitor)
        case .project(let needed): return try admit(routed, visitor, needed)
        }
    }

    private func admit(
        _ routed: RoutedRequest, _ visitor: Visitor, _ needed: ConsoleRole
    ) throws(GoogleError) -> ConsoleRequest {
        guard let project = directory.project(named: routed[parameter: "project"]),
            let role = visitor.user.role(in: project.number)
        else { throw .absent("project") }
        guard role >= needed else {
            throw GoogleError(
                .permissionDenied,
                "You are \(role.rawValue) of \(project.id); this needs the role \(needed.rawValue). "
                    + "Ask an administrator of the project.")
        }
        return ConsoleRequest(routed, visitor: visitor, project: project, role: role)
    }

    /// Who shows a console token, or else has the cookie of a session.
    func visitor(of head: HTTPRequestHead) async throws(GoogleError) -> Visitor? {
        if head.fields["authorization"] != nil {
            guard let text = RequestCredentials.authorization(in: head, scheme: "bearer"),
                let visitor = try await answering({ () async throws(AccountError) in
                    try await accounts.visitor(token: text)
                })
            else {
                throw GoogleError(
                    .unauthenticated, "That is no console token, or it has expired. Make one: POST /console/v1/tokens.")
            }
            return visitor
        }
        guard let secret = SessionCookie.secret(in: head) else { return nil }
        return try await answering { () async throws(AccountError) in
            try await accounts.visitor(sessionSecret: secret)
        }
    }

    private func checkForgery(_ head: HTTPRequestHead, _ visitor: Visitor) throws(GoogleError) {
        guard accounts.isForgeryToken(head.fields["x-csrf-token"], of: visitor) else {
            throw GoogleError(
                .permissionDenied,
                "The X-CSRF-Token field is missing or of another session. GET /console/v1/session gives it.")
        }
    }
}
