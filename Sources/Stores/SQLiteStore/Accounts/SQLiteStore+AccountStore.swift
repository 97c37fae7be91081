public import Accounts
public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: AccountStore {
    public func hasUsers() throws(StoreError) -> Bool {
        try readers.read { (connection) throws(StoreError) in
            try connection.integer("SELECT EXISTS (SELECT 1 FROM console_users)") != 0
        }
    }

    public func user(_ id: UserID) throws(StoreError) -> ConsoleUser? {
        try reading { (reader) throws(StoreError) in try reader.user(id) }
    }

    public func user(named name: UserName) throws(StoreError) -> (user: ConsoleUser, passwordHash: String)? {
        try reading { (reader) throws(StoreError) in try reader.user(named: name) }
    }

    public func users(after id: UserID?, limit: Int) throws(StoreError) -> [ConsoleUser] {
        try reading { (reader) throws(StoreError) in try reader.users(after: id, limit: limit) }
    }

    public func addUser(_ draft: UserDraft, at time: Timestamp) async throws(StoreError) -> ConsoleUser {
        try await writer.write { (context) throws(StoreError) in try context.addUser(draft, at: time) }
    }

    public func changeUser(_ id: UserID, _ change: UserChange) async throws(StoreError) -> ConsoleUser {
        try await writer.write { (context) throws(StoreError) in try context.changeUser(id, change) }
    }

    public func removeUser(_ id: UserID) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in try context.removeUser(id) }
    }

    public func openSession(
        hash: [UInt8], of user: UserID, rules: SessionRules, at time: Timestamp
    ) async throws(StoreError) -> SessionID {
        try await writer.write { (context) throws(StoreError) in
            try context.openSession(hash: hash, of: user, rules: rules, at: time)
        }
    }

    public func session(hash: [UInt8]) throws(StoreError) -> (session: ConsoleSession, user: ConsoleUser)? {
        try reading { (reader) throws(StoreError) in try reader.session(hash: hash) }
    }

    public func noteUse(of session: SessionID, at time: Timestamp) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            _ = try context.connection.change(
                "UPDATE console_sessions SET used_at = ? WHERE id = ?", time.milliseconds, session.value)
        }
    }

    public func endSession(_ id: SessionID) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            _ = try context.connection.change("DELETE FROM console_sessions WHERE id = ?", id.value)
        }
    }

    public func addToken(
        hash: [UInt8], name: String, of user: UserID, expiresAt: Timestamp?, at time: Timestamp
    ) async throws(StoreError) -> ConsoleToken {
        try await writer.write { (context) throws(StoreError) in
            try context.addToken(hash: hash, name: name, of: user, expiresAt: expiresAt, at: time)
        }
    }

    public func token(hash: [UInt8]) throws(StoreError) -> (token: ConsoleToken, user: ConsoleUser)? {
        try reading { (reader) throws(StoreError) in try reader.token(hash: hash) }
    }

    public func tokens(of user: UserID) throws(StoreError) -> [ConsoleToken] {
        try reading { (reader) throws(StoreError) in try reader.tokens(of: user) }
    }

    public func noteUse(of token: TokenID, at time: Timestamp) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            _ = try context.connection.change(
                "UPDATE console_tokens SET used_at = ? WHERE id = ?", time.milliseconds, token.value)
        }
    }

    public func removeToken(_ id: TokenID, of user: UserID) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            let count = try context.connection.change(
                "DELETE FROM console_tokens WHERE id = ? AND user = ?", id.value, user.value)
            guard count > 0 else { throw .notFound("There is no such token.") }
        }
    }

    public func record(_ entry: AuditEntry) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in try context.record(entry) }
    }

    public func auditEntries(
        of project: ProjectNumber?, before serial: Int64?, limit: Int
    ) throws(StoreError) -> [AuditEntry] {
        try reading { (reader) throws(StoreError) in
            try reader.auditEntries(of: project, before: serial, limit: limit)
        }
    }

    private func reading<Value>(_ body: (AccountReader) throws(StoreError) -> Value) throws(StoreError) -> Value {
        try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in try body(AccountReader(connection: connection)) }
        }
    }
}
