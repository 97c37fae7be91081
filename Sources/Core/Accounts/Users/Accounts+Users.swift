public import Bytes
import PushCore
public import PushModel
import Timekeeping

extension Accounts {
    /// What an administrator says of a new user.
    public struct NewUser: Sendable {
        public var name: String
        public var password: Secret<String>
        public var isAdministrator: Bool
        public var roles: [ProjectNumber: ConsoleRole]
        /// Whether the person must choose a password of their own first.
        public var mustChangePassword: Bool

        public init(
            name: String, password: Secret<String>, isAdministrator: Bool = false,
            roles: [ProjectNumber: ConsoleRole] = [:], mustChangePassword: Bool = false
        ) {
            self.name = name
            self.password = password
            self.isAdministrator = isAdministrator
            self.roles = roles
            self.mustChangePassword = mustChangePassword
        }
    }

    public func addUser(_ new: NewUser) async throws(AccountError) -> ConsoleUser {
        guard let name = UserName(new.name) else { throw .invalid(field: "name", text: Self.nameRule) }
        let draft = UserDraft(
            name: name, passwordHash: try await hash(new.password, for: name), isAdministrator: new.isAdministrator,
            roles: new.roles, mustChangePassword: new.mustChangePassword)
        let now = clock.now()
        return try await asking { (store) throws(StoreError) in try await store.addUser(draft, at: now) }
    }

    /// Changes what an administrator may change of somebody.
    /// - Parameters:
    ///   - password: `nil` keeps it; a new one ends the user's sessions and tokens.
    ///   - roles: See `UserChange.roles`.
    public func changeUser(
        _ user: ConsoleUser, isAdministrator: Bool? = nil, roles: [ProjectNumber: ConsoleRole?] = [:],
        password: Secret<String>? = nil, mustChangePassword: Bool? = nil
    ) async throws(AccountError) -> ConsoleUser {
        var change = UserChange(
            isAdministrator: isAdministrator, roles: roles, mustChangePassword: mustChangePassword)
        if let password { change.passwordHash = try await hash(password, for: user.name) }
        return try await asking { [change] (store) throws(StoreError) in
            try await store.changeUser(user.id, change)
        }
    }

    /// A person's own new password. Their other sessions, and their tokens, end.
    public func changePassword(
        of visitor: Visitor, from old: Secret<String>, to new: Secret<String>, address: String
    ) async throws(AccountError) -> ConsoleUser {
        let user = try await user(named: visitor.user.name.text, knowing: old, from: address)
        guard old.reveal() != new.reveal() else {
            throw .invalid(field: "new", text: "The new password must differ from the old one.")
        }
        let change = UserChange(
            passwordHash: try await hash(new, for: user.name, field: "new"), mustChangePassword: false,
            keptSession: visitor.sessionID)
        return try await asking { (store) throws(StoreError) in try await store.changeUser(user.id, change) }
    }

    /// Makes the first administrator of a server that has no users.
    /// - Parameter password: Asked for only then.
    /// - Returns: `nil` when there are users already.
    public func makeFirstAdministrator(
        named name: String = "admin", mustChangePassword: Bool, password: () -> Secret<String>
    ) async throws(AccountError) -> ConsoleUser? {
        guard try await asking({ (store) throws(StoreError) in try store.hasUsers() }) == false else { return nil }
        return try await addUser(
            NewUser(
                name: name, password: password(), isAdministrator: true, mustChangePassword: mustChangePassword))
    }

    /// A password that nobody can guess and a person can type: 100 random bits in groups of five letters and digits.
    public static func freshPassword(random: (Int) -> [UInt8]) -> Secret<String> {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let letters = random(20).map { alphabet[Int($0) % alphabet.count] }
        let groups = stride(from: 0, to: letters.count, by: 5).map { String(letters[$0..<$0 + 5]) }
        return Secret(groups.joined(separator: "-"))
    }

    static let nameRule =
        "A name has 1 to \(UserName.maximumCharacters) letters a to z, digits and . _ - + @."

    private func hash(
        _ password: Secret<String>, for name: UserName, field: String = "password"
    ) async throws(AccountError) -> String {
        if let fault = PasswordRules.fault(in: password.reveal(), of: name) {
            throw .invalid(field: field, text: fault)
        }
        return try await passwords.hash(password)
    }
}
