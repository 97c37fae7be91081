public import PushModel
public import Timekeeping

/// The store's number of a user. Never given out twice.
public struct UserID: Hashable, Sendable, CustomStringConvertible {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    /// `nil` unless the text is a positive whole number.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.first != UInt8(ascii: "+"), let value = Int64(text), value > 0 else { return nil }
        self.value = value
    }

    public var description: String { String(value) }
}

/// A person who may sign in to the console.
public struct ConsoleUser: Sendable, Equatable {
    public var id: UserID
    public var name: UserName
    /// Whether the person may do everything, in all projects.
    public var isAdministrator: Bool
    public var roles: [ProjectNumber: ConsoleRole]
    /// Whether the password was given by somebody else: until it is changed, nothing else is allowed.
    public var mustChangePassword: Bool
    public var createdAt: Timestamp
    public var lastSignInAt: Timestamp?

    public init(
        id: UserID, name: UserName, isAdministrator: Bool, roles: [ProjectNumber: ConsoleRole],
        mustChangePassword: Bool, createdAt: Timestamp, lastSignInAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.isAdministrator = isAdministrator
        self.roles = roles
        self.mustChangePassword = mustChangePassword
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }

    /// `nil` when the person may not know of the project.
    public func role(in project: ProjectNumber) -> ConsoleRole? {
        isAdministrator ? .administrator : roles[project]
    }
}

/// A user to be made.
public struct UserDraft: Sendable {
    public var name: UserName
    /// What `PasswordHashing` gave.
    public var passwordHash: String
    public var isAdministrator: Bool
    public var roles: [ProjectNumber: ConsoleRole]
    public var mustChangePassword: Bool

    public init(
        name: UserName, passwordHash: String, isAdministrator: Bool, roles: [ProjectNumber: ConsoleRole] = [:],
        mustChangePassword: Bool = false
    ) {
        self.name = name
        self.passwordHash = passwordHash
        self.isAdministrator = isAdministrator
        self.roles = roles
        self.mustChangePassword = mustChangePassword
    }
}

/// What is to be different about a user; `nil` leaves it.
public struct UserChange: Sendable {
    public var isAdministrator: Bool?
    /// Per project the role, or `nil` to take it away. Projects that are not named keep theirs.
    public var roles: [ProjectNumber: ConsoleRole?]
    /// A new password ends the user's sessions and tokens.
    public var passwordHash: String?
    public var mustChangePassword: Bool?
    /// The session that survives a new password: the one in which it was given.
    public var keptSession: SessionID?

    public init(
        isAdministrator: Bool? = nil, roles: [ProjectNumber: ConsoleRole?] = [:], passwordHash: String? = nil,
        mustChangePassword: Bool? = nil, keptSession: SessionID? = nil
    ) {
        self.isAdministrator = isAdministrator
        self.roles = roles
        self.passwordHash = passwordHash
        self.mustChangePassword = mustChangePassword
        self.keptSession = keptSession
    }
}
