public import Accounts
import Bytes
import GoogleAPI
import JSON
public import PushCore
import PushModel

/// Users and their roles.
public struct UserEndpoints: Sendable {
    let accounts: Accounts
    let directory: any ProjectDirectory
    let documents: UserDocuments

    public init(accounts: Accounts, directory: any ProjectDirectory) {
        self.accounts = accounts
        self.directory = directory
        documents = UserDocuments(directory: directory)
    }

    public var part: ConsolePart {
        ConsolePart(
            "Users",
            endpoints: [
                ConsoleEndpoint(
                    "user.list", "GET", "users", "Lists the users.", access: .server, query: ConsolePage.parameters,
                    answer: .json(.page("users", of: .reference("User"))), handler: list),
                ConsoleEndpoint(
                    "user.create", "POST", "users", "Makes a user.", access: .server,
                    body: .object([
                        .required("name", Self.nameSchema, "Capital letters are taken as small ones."),
                        .required("password", Self.passwordSchema),
                        .optional("isAdministrator", .flag, "Of the whole server."),
                        .optional("roles", .map(UserDocuments.roleSchema, maximumMembers: 1000), "By project id."),
                        .optional(
                            "mustChangePassword", .flag,
                            "Whether the person must choose another password first; true if it is not given."),
                    ]), answer: .json(.reference("User")), handler: create),
                ConsoleEndpoint(
                    "user.get", "GET", "users/{user}", "Shows a user.", access: .server,
                    answer: .json(.reference("User")), handler: show),
                ConsoleEndpoint(
                    "user.update", "PATCH", "users/{user}",
                    "Changes a user. A new password ends the user’s sessions and tokens.", access: .server,
                    body: .object([
                        .optional("password", Self.passwordSchema),
                        .optional("isAdministrator", .flag),
                        .optional(
                            "roles", .map(.nullable(UserDocuments.roleSchema), maximumMembers: 1000),
                            "By project id; null takes a role away, and projects that are not named keep theirs."),
                        .optional("mustChangePassword", .flag),
                    ]), answer: .json(.reference("User")), handler: update),
                ConsoleEndpoint(
                    "user.delete", "DELETE", "users/{user}", "Removes a user, with sessions and tokens.",
                    access: .server, handler: delete),
                ConsoleEndpoint(
                    "user.changeOwnPassword", "POST", "users/me/password",
                    "Changes the caller’s password. Their other sessions and their tokens end.", access: .signedIn,
                    body: .object([
                        .required("old", .text(1, upTo: PasswordRules.maximumBytes)),
                        .required("new", Self.passwordSchema),
                    ]), handler: changeOwnPassword),
            ], schemas: ["User": UserDocuments.schema])
    }

    private static let nameSchema = ConsoleSchema.text(
        1, upTo: UserName.maximumCharacters, pattern: "^[A-Za-z0-9._@+-]+$")
    private static let passwordSchema = ConsoleSchema.text(
        PasswordRules.minimumCharacters, upTo: PasswordRules.maximumBytes)

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let after = try page.integerKey().map { UserID(value: $0) }
        let users = try await asking { () async throws(StoreError) in
            try accounts.store.users(after: after, limit: page.size + 1)
        }
        return page.answer("users", users, key: \.id.value) { .object(documents.json($0)) }
    }

    private func create(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let body = request.body
        var roles: [ProjectNumber: ConsoleRole] = [:]
        for (project, role) in try self.roles(body) { roles[project] = role }
        let new = Accounts.NewUser(
            name: body["name"]?.string ?? "", password: Secret(body["password"]?.string ?? ""),
            isAdministrator: body["isAdministrator"]?.bool ?? false, roles: roles,
            mustChangePassword: body["mustChangePassword"]?.bool ?? true)
        let user = try await answering { () async throws(AccountError) in try await accounts.addUser(new) }
        return answer(user)
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        answer(try await user(request))
    }

    private func update(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let (user, body) = (try await user(request), request.body)
        let roles = try roles(body)
        // Somebody else knows the password now: it is for one sign-in.
        let isForOther = body["password"] != nil && request.visitor?.user.id != user.id
        let changed = try await answering { () async throws(AccountError) in
            try await accounts.changeUser(
                user, isAdministrator: body["isAdministrator"]?.bool, roles: roles,
                password: body["password"]?.string.map { Secret($0) },
                mustChangePassword: body["mustChangePassword"]?.bool ?? (isForOther ? true : nil))
        }
        return answer(changed, detail: body.names.joined(separator: ", "))
    }

    private func delete(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let user = try await user(request)
        try await asking { () async throws(StoreError) in try await accounts.store.removeUser(user.id) }
        return .done.audited(user.name.text)
    }

    private func changeOwnPassword(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let visitor = try request.signedIn()
        let (old, new) = (request.body["old"]?.string ?? "", request.body["new"]?.string ?? "")
        do throws(AccountError) {
            _ = try await accounts.changePassword(
                of: visitor, from: Secret(old), to: Secret(new), address: request.peerAddress)
        } catch .wrongCredentials {
            // Not 401: the session is good, and pages take 401 for its end.
            throw .invalidField("old", "The old password is wrong.")
        } catch {
            throw .account(error)
        }
        return .done.audited(visitor.user.name.text)
    }

    /// The user of the path; `me` is who calls.
    private func user(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleUser {
        let name = request[path: "user"]
        if name == "me" { return try request.signedIn().user }
        guard let id = UserID(name) else { throw .absent("user") }
        let user = try await asking { () async throws(StoreError) in try accounts.store.user(id) }
        guard let user else { throw .absent("user") }
        return user
    }

    private func roles(_ body: JSONObject) throws(GoogleError) -> [ProjectNumber: ConsoleRole?] {
        var roles: [ProjectNumber: ConsoleRole?] = [:]
        for member in body["roles"]?.object ?? [:] {
            guard let project = directory.project(named: member.name) else {
                throw .invalidField("roles", "There is no project “\(member.name.prefix(64))”.")
            }
            roles.updateValue(member.value.string.flatMap { ConsoleRole(rawValue: $0) }, forKey: project.number)
        }
        return roles
    }

    private func answer(_ user: ConsoleUser, detail: String = "") -> ConsoleAnswer {
        .json(documents.json(user)).audited(user.name.text, detail)
    }
}
