import Accounts
import Bytes
import Crypto
import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension AdministrationCommand {
    /// `pharos user add`
    static let userAdd = AdministrationCommand(
        "user add", "Lets a person sign in to the console.", operands: ["NAME"],
        options: [
            .flag("administrator", "May do everything, in all projects."), .project,
            .value("role", "ROLE", "viewer, editor or administrator of the project that --project names."),
            .passwordFile,
        ], discussion: passwordDiscussion, makesDirectory: true
    ) { (administration, arguments) async throws(CommandFailure) in
        let password = try ChosenPassword(arguments)
        var roles: [ProjectNumber: ConsoleRole] = [:]
        if let role = try arguments.consoleRole() {
            roles[try await administration.project(arguments).number] = role
        }
        let user = try await administration.accounts { (accounts) async throws(AccountError) in
            try await accounts.addUser(
                .init(
                    name: arguments.operands[0], password: password.secret,
                    isAdministrator: arguments.has("administrator"), roles: roles,
                    mustChangePassword: password.isFresh))
        }
        try await administration.note("user.create", user, arguments.has("administrator") ? "administrator" : "")
        return password.report("\(user.name) may sign in.", user, in: administration.store)
    }

    /// `pharos user list`
    static let userList = AdministrationCommand("user list", "Lists who may sign in to the console.") {
        (administration, _) async throws(CommandFailure) in
        var users: [ConsoleUser] = []
        while true {
            let more = try await administration.ask { (store) throws(StoreError) in
                try store.users(after: users.last?.id, limit: 500)
            }
            users += more
            if more.isEmpty { break }
        }
        let rows = users.map { user in
            [
                user.name.text, user.isAdministrator ? "administrator" : user.roleText(in: administration.store),
                user.lastSignInAt?.rfc3339 ?? "never",
            ]
        }
        return CommandReport(
            text: rows.isEmpty
                ? "There is nobody. The first start of pharos serve makes admin, or: pharos user add NAME"
                : CommandReport.table([["NAME", "MAY", "LAST SIGN-IN"]] + rows),
            json: ["users": .array(users.map { .object($0.json(in: administration.store)) })])
    }

    /// `pharos user password`
    static let userPassword = AdministrationCommand(
        "user password", "Gives a person a new password, and ends their sessions and tokens.", operands: ["NAME"],
        options: [.passwordFile], discussion: passwordDiscussion
    ) { (administration, arguments) async throws(CommandFailure) in
        let password = try ChosenPassword(arguments)
        let user = try await administration.user(arguments.operands[0])
        let changed = try await administration.accounts { (accounts) async throws(AccountError) in
            try await accounts.changeUser(user, password: password.secret, mustChangePassword: password.isFresh)
        }
        try await administration.note("user.update", changed, "password")
        return password.report("\(user.name) has a new password.", changed, in: administration.store)
    }

    /// `pharos user role`
    static let userRole = AdministrationCommand(
        "user role", "Changes what a person may do.", operands: ["NAME", "ROLE"], options: [.project],
        discussion: """
            ROLE is viewer, editor, administrator or none, in the project that --project names; or server, for an
            administrator of the whole server, and no-server to take that away.
            """
    ) { (administration, arguments) async throws(CommandFailure) in
        let user = try await administration.user(arguments.operands[0])
        let word = arguments.operands[1]
        var isAdministrator: Bool?
        var roles: [ProjectNumber: ConsoleRole?] = [:]
        switch word {
        case "server": isAdministrator = true
        case "no-server": isAdministrator = false
        default:
            guard let role = ConsoleRole(rawValue: word) ?? (word == "none" ? .viewer : nil) else {
                throw .usage(
                    "“\(word)” is no role.",
                    nextStep: "Choose viewer, editor, administrator or none; or server, no-server.")
            }
            let project = try await administration.project(arguments)
            roles.updateValue(word == "none" ? nil : role, forKey: project.number)
        }
        let (wanted, flag) = (roles, isAdministrator)
        let changed = try await administration.accounts { (accounts) async throws(AccountError) in
            try await accounts.changeUser(user, isAdministrator: flag, roles: wanted)
        }
        try await administration.note("user.update", changed, word)
        return CommandReport(
            text:
                "\(user.name) is \(changed.isAdministrator ? "administrator of the server" : changed.roleText(in: administration.store)).",
            json: .object(changed.json(in: administration.store)))
    }

    /// `pharos user remove`
    static let userRemove = AdministrationCommand(
        "user remove", "Takes a person’s access away, at once.", operands: ["NAME"]
    ) { (administration, arguments) async throws(CommandFailure) in
        let user = try await administration.user(arguments.operands[0])
        try await administration.ask { (store) throws(StoreError) in try await store.removeUser(user.id) }
        try await administration.note("user.delete", user, "")
        return CommandReport(text: "\(user.name) is removed.", json: ["removed": .string(user.name.text)])
    }

    private static let passwordDiscussion = """
        Without --password-file a password is made and printed; the person must choose another one at the first sign-in.
        Works beside a running server, and without one.
        """
}

extension CommandOption {
    fileprivate static let passwordFile = CommandOption.value(
        "password-file", "FILE", "Takes the password from the first line of the file; - reads standard input.")
}

extension CommandArguments {
    fileprivate func consoleRole() throws(CommandFailure) -> ConsoleRole? {
        guard let word = value("role") else { return nil }
        guard let role = ConsoleRole(rawValue: word) else {
            throw .usage("“\(word)” is no role.", nextStep: "Choose viewer, editor or administrator.")
        }
        return role
    }
}

/// A password that the command got, or made.
private struct ChosenPassword {
    let secret: Secret<String>
    /// Whether it was made here, so that it is printed and must be changed.
    let isFresh: Bool

    init(_ arguments: CommandArguments) throws(CommandFailure) {
        guard let path = arguments.value("password-file") else {
            secret = Accounts.freshPassword { SecureRandom.bytes($0) }
            isFresh = true
            return
        }
        let bytes = path == "-" ? StandardStreams.readInput(limit: 1 << 16) ?? [] : try PrivateFile.read(path)
        secret = Secret(String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }))
        isFresh = false
    }

    func report(_ sentence: String, _ user: ConsoleUser, in store: SQLiteStore) -> CommandReport {
        var json = user.json(in: store)
        guard isFresh else { return CommandReport(text: sentence, json: .object(json)) }
        json["password"] = .string(secret.reveal())
        return CommandReport(
            text: "\(sentence) The password, for one sign-in: \(secret.reveal())", json: .object(json))
    }
}

extension Administration {
    fileprivate func user(_ text: String) async throws(CommandFailure) -> ConsoleUser {
        let found = try await ask { (store) throws(StoreError) in
            try UserName(text).flatMap { (name) throws(StoreError) in try store.user(named: name)?.user }
        }
        guard let found else {
            throw .failed("There is no user “\(text)”.", nextStep: "See who there is: pharos user list.")
        }
        return found
    }

    /// Works with the accounts; their refusals become failures of the command.
    fileprivate func accounts<Result: Sendable>(
        _ work: (Accounts) async throws(AccountError) -> Result
    ) async throws(CommandFailure) -> Result {
        let accounts = Accounts(
            store: store, clock: SystemClock(), passwords: PasswordWorker().hashing,
            sealing: .openSSL(secret: store.serverSecret))
        do throws(AccountError) {
            return try await work(accounts)
        } catch {
            throw .account(error)
        }
    }

    /// The audit log names the command line for what is done there.
    fileprivate func note(_ action: String, _ user: ConsoleUser, _ detail: String) async throws(CommandFailure) {
        let entry = AuditEntry(
            time: SystemClock().now(), user: "command line", action: action, project: nil, subject: user.name.text,
            detail: detail)
        try await ask { (store) throws(StoreError) in try await store.record(entry) }
    }
}

extension ConsoleUser {
    fileprivate func roleText(in store: SQLiteStore) -> String {
        let roles = roles.compactMap { number, role in
            store.project(number: number).map { "\(role.rawValue) of \($0.id)" }
        }
        return roles.isEmpty ? "without a role" : roles.sorted().joined(separator: ", ")
    }

    fileprivate func json(in store: SQLiteStore) -> JSONObject {
        let roles = roles.compactMap { number, role in
            store.project(number: number).map { ($0.id.text, JSONValue.string(role.rawValue)) }
        }
        return [
            "name": .string(name.text), "administrator": .bool(isAdministrator),
            "roles": .object(JSONObject(roles.sorted { $0.0 < $1.0 })),
            "must_change_password": .bool(mustChangePassword),
            "created_at_ms": .integer(createdAt.milliseconds),
        ]
    }
}
