public import PushCore
public import PushModel
public import Timekeeping

/// Users, sessions, tokens and the audit log. Changes are durable when they return.
public protocol AccountStore: Sendable {
    func hasUsers() throws(StoreError) -> Bool
    func user(_ id: UserID) throws(StoreError) -> ConsoleUser?
    /// The user with the password's hash.
    func user(named name: UserName) throws(StoreError) -> (user: ConsoleUser, passwordHash: String)?
    /// In the order of their numbers.
    func users(after id: UserID?, limit: Int) throws(StoreError) -> [ConsoleUser]
    /// - Throws: `StoreError.conflict` when the name is taken.
    func addUser(_ draft: UserDraft, at time: Timestamp) async throws(StoreError) -> ConsoleUser
    /// - Throws: `StoreError.conflict` when no administrator would be left.
    func changeUser(_ id: UserID, _ change: UserChange) async throws(StoreError) -> ConsoleUser
    /// Sessions and tokens go with the user.
    /// - Throws: `StoreError.conflict` when no administrator would be left.
    func removeUser(_ id: UserID) async throws(StoreError)

    /// Notes the sign-in too, and ends sessions that are over or too many.
    /// - Parameter hash: SHA-256 of the session's secret.
    func openSession(
        hash: [UInt8], of user: UserID, rules: SessionRules, at time: Timestamp
    ) async throws(StoreError) -> SessionID
    func session(hash: [UInt8]) throws(StoreError) -> (session: ConsoleSession, user: ConsoleUser)?
    func noteUse(of session: SessionID, at time: Timestamp) async throws(StoreError)
    func endSession(_ id: SessionID) async throws(StoreError)

    /// - Parameter hash: SHA-256 of the token's text.
    /// - Throws: `StoreError.conflict` when the user has too many.
    func addToken(
        hash: [UInt8], name: String, of user: UserID, expiresAt: Timestamp?, at time: Timestamp
    ) async throws(StoreError) -> ConsoleToken
    func token(hash: [UInt8]) throws(StoreError) -> (token: ConsoleToken, user: ConsoleUser)?
    func tokens(of user: UserID) throws(StoreError) -> [ConsoleToken]
    func noteUse(of token: TokenID, at time: Timestamp) async throws(StoreError)
    /// - Throws: `StoreError.notFound` when the user has no such token.
    func removeToken(_ id: TokenID, of user: UserID) async throws(StoreError)

    /// Keeps the newest `AuditRules.maximumEntries`.
    func record(_ entry: AuditEntry) async throws(StoreError)
    /// Newest first.
    /// - Parameters:
    ///   - project: `nil` for all.
    ///   - serial: Only older ones.
    func auditEntries(
        of project: ProjectNumber?, before serial: Int64?, limit: Int
    ) throws(StoreError) -> [AuditEntry]
}

/// How much the audit log keeps.
public enum AuditRules {
    public static let maximumEntries: Int64 = 100_000
}
