public import Timekeeping

/// The store's number of a console token.
public struct TokenID: Hashable, Sendable, CustomStringConvertible {
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

/// What a script shows instead of a password. It may do what its user may; the store has its hash only.
public struct ConsoleToken: Sendable, Equatable {
    public static let prefix = "pharos_"
    public static let maximumPerUser = 100

    public var id: TokenID
    /// For people, to tell their tokens apart.
    public var name: String
    public var createdAt: Timestamp
    public var expiresAt: Timestamp?
    public var lastUsedAt: Timestamp?

    public init(
        id: TokenID, name: String, createdAt: Timestamp, expiresAt: Timestamp?, lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    func isValid(at now: Timestamp) -> Bool {
        expiresAt.map { now < $0 } ?? true
    }
}
