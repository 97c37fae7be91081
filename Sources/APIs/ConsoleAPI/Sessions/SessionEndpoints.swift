public import Accounts
import Bytes
import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore

/// Signing in and out.
public struct SessionEndpoints: Sendable {
    let accounts: Accounts
    let users: UserDocuments
    let audit: AuditWriter

    public init(accounts: Accounts, directory: any ProjectDirectory, audit: AuditWriter) {
        self.accounts = accounts
        self.audit = audit
        users = UserDocuments(directory: directory)
    }

    public var part: ConsolePart {
        ConsolePart(
            "Sessions",
            endpoints: [
                ConsoleEndpoint(
                    "session.create", "POST", "session", "Signs in.", access: .anybody,
                    body: .object([
                        .required("name", .text(1, upTo: 256)), .required("password", .text(1, upTo: 1024)),
                    ]), answer: .json(.reference("Session")), isAudited: false, bodyLimitBytes: 1 << 13,
                    handler: signIn),
                ConsoleEndpoint(
                    "session.get", "GET", "session", "Says who is signed in.", access: .signedIn,
                    answer: .json(.reference("Session")), handler: show),
                ConsoleEndpoint(
                    "session.delete", "DELETE", "session", "Signs out.", access: .signedIn, isAudited: false,
                    handler: signOut),
            ],
            schemas: [
                "Session": .object([
                    .required("user", .reference("User")),
                    .required(
                        "csrfToken", .text(), "What changes must send as X-CSRF-Token; empty for tokens of scripts."),
                ])
            ])
    }

    private func signIn(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let name = request.body["name"]?.string ?? ""
        let password = Secret(request.body["password"]?.string ?? "")
        let session: NewSession
        do throws(AccountError) {
            session = try await accounts.signIn(name: name, password: password, from: request.peerAddress)
        } catch {
            await noteRefusal(error, of: name, request)
            throw .account(error)
        }
        await audit.note(
            user: session.user.name.text, action: "session.create", project: nil, subject: request.peerAddress,
            detail: "")
        var answer = answer(session.user, csrfToken: accounts.forgeryToken(secret: session.secret))
        answer.response.fields.append(
            "set-cookie",
            SessionCookie.setting(
                session.secret, isSecure: SessionCookie.isSecure(request.head), seconds: accounts.rules.absoluteSeconds)
        )
        return answer
    }

    /// Only names that exist get into the log: else anybody could flush it.
    private func noteRefusal(_ error: AccountError, of text: String, _ request: ConsoleRequest) async {
        guard error == .wrongCredentials, let name = UserName(text),
            (try? accounts.store.user(named: name)) != nil
        else { return }
        await audit.note(
            user: name.text, action: "session.refused", project: nil, subject: request.peerAddress,
            detail: "wrong password")
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let visitor = try request.signedIn()
        return answer(visitor.user, csrfToken: accounts.forgeryToken(of: visitor))
    }

    private func signOut(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let visitor = try request.signedIn()
        try await answering { () async throws(AccountError) in try await accounts.signOut(visitor) }
        var answer = ConsoleAnswer.done
        let isSecure = SessionCookie.isSecure(request.head)
        answer.response.fields.append("set-cookie", SessionCookie.removing(isSecure: isSecure))
        return answer
    }

    private func answer(_ user: ConsoleUser, csrfToken: String) -> ConsoleAnswer {
        .json(["user": .object(users.json(user)), "csrfToken": .string(csrfToken)])
    }
}
