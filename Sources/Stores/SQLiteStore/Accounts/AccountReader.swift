import Accounts
import PushCore
import PushModel
import Timekeeping

/// Reads users, sessions, tokens and the audit log on one connection.
struct AccountReader {
    let connection: Connection

    func user(_ id: UserID) throws(StoreError) -> ConsoleUser? {
        try connection.first(
            """
            SELECT id, name, is_administrator, must_change, created_at, last_sign_in FROM console_users WHERE id = ?
            """, id.value, read: decodeUser
        ).map(withRoles)
    }

    func user(named name: UserName) throws(StoreError) -> (user: ConsoleUser, passwordHash: String)? {
        let found = try connection.first(
            """
            SELECT id, name, is_administrator, must_change, created_at, last_sign_in, password
            FROM console_users WHERE name = ?
            """, name.text
        ) { (row) throws(StoreError) in (try decodeUser(row), row.text(6)) }
        guard let (user, hash) = found else { return nil }
        return (try withRoles(user), hash)
    }

    func users(after id: UserID?, limit: Int) throws(StoreError) -> [ConsoleUser] {
        try connection.all(
            """
            SELECT id, name, is_administrator, must_change, created_at, last_sign_in FROM console_users
            WHERE id > ? ORDER BY id LIMIT ?
            """, id?.value ?? 0, max(0, limit), read: decodeUser
        ).map(withRoles)
    }

    func session(hash: [UInt8]) throws(StoreError) -> (session: ConsoleSession, user: ConsoleUser)? {
        let found = try connection.first(
            "SELECT id, user, created_at, used_at FROM console_sessions WHERE hash = ?", hash
        ) { row in
            (
                ConsoleSession(
                    id: SessionID(value: row.integer(0)), createdAt: Timestamp(milliseconds: row.integer(2)),
                    usedAt: Timestamp(milliseconds: row.integer(3))),
                UserID(value: row.integer(1))
            )
        }
        guard let (session, id) = found, let user = try user(id) else { return nil }
        return (session, user)
    }

    func token(hash: [UInt8]) throws(StoreError) -> (token: ConsoleToken, user: ConsoleUser)? {
        let found = try connection.first(
            "SELECT id, name, created_at, expires_at, used_at, user FROM console_tokens WHERE hash = ?", hash
        ) { row in (decodeToken(row), UserID(value: row.integer(5))) }
        guard let (token, id) = found, let user = try user(id) else { return nil }
        return (token, user)
    }

    func tokens(of user: UserID) throws(StoreError) -> [ConsoleToken] {
        try connection.all(
            "SELECT id, name, created_at, expires_at, used_at FROM console_tokens WHERE user = ? ORDER BY id",
            user.value, read: decodeToken)
    }

    func auditEntries(
        of project: ProjectNumber?, before serial: Int64?, limit: Int
    ) throws(StoreError) -> [AuditEntry] {
        let before = serial ?? .max
        guard let project else {
            return try connection.all(
                """
                SELECT serial, time, user, action, project, subject, detail FROM console_audit
                WHERE serial < ? ORDER BY serial DESC LIMIT ?
                """, before, max(0, limit), read: decodeEntry)
        }
        return try connection.all(
            """
            SELECT serial, time, user, action, project, subject, detail FROM console_audit
            WHERE project = ? AND serial < ? ORDER BY serial DESC LIMIT ?
            """, project.value, before, max(0, limit), read: decodeEntry)
    }

    private func withRoles(_ user: ConsoleUser) throws(StoreError) -> ConsoleUser {
        var user = user
        let roles = try connection.all("SELECT project, role FROM console_roles WHERE user = ?", user.id.value) {
            (row) throws(StoreError) in
            guard let role = ConsoleRole(rawValue: row.text(1)) else { throw .damaged("a role") }
            return (ProjectNumber(value: UInt64(bitPattern: row.integer(0))), role)
        }
        user.roles = Dictionary(roles, uniquingKeysWith: { $1 })
        return user
    }

    private func decodeUser(_ row: Row) throws(StoreError) -> ConsoleUser {
        guard let name = UserName(row.text(1)) else { throw .damaged("a user's name") }
        return ConsoleUser(
            id: UserID(value: row.integer(0)), name: name, isAdministrator: row.integer(2) != 0, roles: [:],
            mustChangePassword: row.integer(3) != 0, createdAt: Timestamp(milliseconds: row.integer(4)),
            lastSignInAt: row.isNull(5) ? nil : Timestamp(milliseconds: row.integer(5)))
    }

    private func decodeToken(_ row: Row) -> ConsoleToken {
        ConsoleToken(
            id: TokenID(value: row.integer(0)), name: row.text(1),
            createdAt: Timestamp(milliseconds: row.integer(2)),
            expiresAt: row.isNull(3) ? nil : Timestamp(milliseconds: row.integer(3)),
            lastUsedAt: row.isNull(4) ? nil : Timestamp(milliseconds: row.integer(4)))
    }

    private func decodeEntry(_ row: Row) -> AuditEntry {
        AuditEntry(
            serial: row.integer(0), time: Timestamp(milliseconds: row.integer(1)), user: row.text(2),
            action: row.text(3),
            project: row.isNull(4) ? nil : ProjectNumber(value: UInt64(bitPattern: row.integer(4))),
            subject: row.text(5), detail: row.text(6))
    }
}
