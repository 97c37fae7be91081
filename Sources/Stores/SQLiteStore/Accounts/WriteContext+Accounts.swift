import Accounts
import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    private var accounts: AccountReader { AccountReader(connection: connection) }

    func addUser(_ draft: UserDraft, at time: Timestamp) throws(StoreError) -> ConsoleUser {
        let name = draft.name.text
        let isTaken = try connection.integer("SELECT count(*) FROM console_users WHERE name = ?", name) > 0
        guard !isTaken else { throw .conflict("There is a user \(name).") }
        let id = try connection.first(
            """
            INSERT INTO console_users (name, password, is_administrator, must_change, created_at)
            VALUES (?, ?, ?, ?, ?) RETURNING id
            """, name, draft.passwordHash, draft.isAdministrator ? 1 : 0, draft.mustChangePassword ? 1 : 0,
            time.milliseconds
        ) { UserID(value: $0.integer(0)) }
        guard let id else { throw .unavailable("The user was not stored.") }
        for (project, role) in draft.roles { try setRole(role, of: id, in: project) }
        return try existingUser(id)
    }

    func changeUser(_ id: UserID, _ change: UserChange) throws(StoreError) -> ConsoleUser {
        _ = try existingUser(id)
        if let isAdministrator = change.isAdministrator {
            try connection.change(
                "UPDATE console_users SET is_administrator = ? WHERE id = ?", isAdministrator ? 1 : 0, id.value)
            try requireAdministrator()
        }
        for (project, role) in change.roles { try setRole(role, of: id, in: project) }
        if let hash = change.passwordHash {
            try connection.change("UPDATE console_users SET password = ? WHERE id = ?", hash, id.value)
            try connection.change(
                "DELETE FROM console_sessions WHERE user = ? AND id <> ?", id.value, change.keptSession?.value ?? 0)
            try connection.change("DELETE FROM console_tokens WHERE user = ?", id.value)
        }
        if let mustChange = change.mustChangePassword {
            try connection.change(
                "UPDATE console_users SET must_change = ? WHERE id = ?", mustChange ? 1 : 0, id.value)
        }
        return try existingUser(id)
    }

    func removeUser(_ id: UserID) throws(StoreError) {
        guard try connection.change("DELETE FROM console_users WHERE id = ?", id.value) > 0 else {
            throw .notFound("There is no such user.")
        }
        try requireAdministrator()
    }

    /// Somebody must be able to undo what was done.
    private func requireAdministrator() throws(StoreError) {
        guard try connection.integer("SELECT count(*) FROM console_users WHERE is_administrator = 1") > 0 else {
            throw .conflict("This is the last administrator. Make another one first.")
        }
    }

    private func setRole(_ role: ConsoleRole?, of user: UserID, in project: ProjectNumber) throws(StoreError) {
        guard let role else {
            try connection.change(
                "DELETE FROM console_roles WHERE user = ? AND project = ?", user.value, project.value)
            return
        }
        try requireProject(project)
        try connection.change(
            """
            INSERT INTO console_roles (user, project, role) VALUES (?, ?, ?)
            ON CONFLICT (user, project) DO UPDATE SET role = excluded.role
            """, user.value, project.value, role.rawValue)
    }

    private func existingUser(_ id: UserID) throws(StoreError) -> ConsoleUser {
        guard let user = try accounts.user(id) else { throw .notFound("There is no such user.") }
        return user
    }

    func openSession(
        hash: [UInt8], of user: UserID, rules: SessionRules, at time: Timestamp
    ) throws(StoreError) -> SessionID {
        _ = try existingUser(user)
        try connection.change(
            "DELETE FROM console_sessions WHERE created_at <= ? OR used_at <= ?",
            time.adding(seconds: -rules.absoluteSeconds).milliseconds,
            time.adding(seconds: -rules.idleSeconds).milliseconds)
        try connection.change(
            """
            DELETE FROM console_sessions WHERE user = ? AND id NOT IN
                (SELECT id FROM console_sessions WHERE user = ? ORDER BY id DESC LIMIT ?)
            """, user.value, user.value, max(0, rules.maximumPerUser - 1))
        try connection.change(
            "UPDATE console_users SET last_sign_in = ? WHERE id = ?", time.milliseconds, user.value)
        let id = try connection.first(
            "INSERT INTO console_sessions (hash, user, created_at, used_at) VALUES (?, ?, ?, ?) RETURNING id", hash,
            user.value, time.milliseconds, time.milliseconds
        ) { SessionID(value: $0.integer(0)) }
        guard let id else { throw .unavailable("The session was not stored.") }
        return id
    }

    func addToken(
        hash: [UInt8], name: String, of user: UserID, expiresAt: Timestamp?, at time: Timestamp
    ) throws(StoreError) -> ConsoleToken {
        _ = try existingUser(user)
        try connection.change(
            "DELETE FROM console_tokens WHERE user = ? AND expires_at <= ?", user.value, time.milliseconds)
        let count = try connection.integer("SELECT count(*) FROM console_tokens WHERE user = ?", user.value)
        guard count < ConsoleToken.maximumPerUser else {
            throw .conflict("There are \(count) tokens. Remove some first.")
        }
        let id = try connection.first(
            """
            INSERT INTO console_tokens (hash, user, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?) RETURNING id
            """, hash, user.value, name, time.milliseconds, expiresAt?.milliseconds
        ) { TokenID(value: $0.integer(0)) }
        guard let id else { throw .unavailable("The token was not stored.") }
        return ConsoleToken(id: id, name: name, createdAt: time, expiresAt: expiresAt)
    }

    func record(_ entry: AuditEntry) throws(StoreError) {
        try connection.change(
            """
            INSERT INTO console_audit (time, user, action, project, subject, detail) VALUES (?, ?, ?, ?, ?, ?)
            """, entry.time.milliseconds, entry.user, entry.action, entry.project?.value, entry.subject, entry.detail)
        try connection.change(
            "DELETE FROM console_audit WHERE serial <= (SELECT max(serial) FROM console_audit) - ?",
            AuditRules.maximumEntries)
    }
}
