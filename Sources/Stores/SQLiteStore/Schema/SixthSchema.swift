extension Migration {
    /// The console's users, their sessions and tokens, and the audit log.
    ///
    /// Of passwords, sessions' secrets and tokens there are hashes only. Numbers of users are never given out twice, so
    /// that nobody inherits what an earlier user's page still shows.
    static let sixthSchema = Migration(
        version: 6,
        sql: """
            CREATE TABLE console_users (
                id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
                is_administrator INTEGER NOT NULL, must_change INTEGER NOT NULL, created_at INTEGER NOT NULL,
                last_sign_in INTEGER);
            CREATE TABLE console_roles (
                user INTEGER NOT NULL REFERENCES console_users ON DELETE CASCADE,
                project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE, role TEXT NOT NULL,
                PRIMARY KEY (user, project)) WITHOUT ROWID;
            CREATE INDEX console_roles_by_project ON console_roles (project);
            CREATE TABLE console_sessions (
                id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE,
                user INTEGER NOT NULL REFERENCES console_users ON DELETE CASCADE, created_at INTEGER NOT NULL,
                used_at INTEGER NOT NULL);
            CREATE INDEX console_sessions_by_user ON console_sessions (user);
            CREATE TABLE console_tokens (
                id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE,
                user INTEGER NOT NULL REFERENCES console_users ON DELETE CASCADE, name TEXT NOT NULL,
                created_at INTEGER NOT NULL, expires_at INTEGER, used_at INTEGER);
            CREATE INDEX console_tokens_by_user ON console_tokens (user);
            CREATE TABLE console_audit (
                serial INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, user TEXT NOT NULL,
                action TEXT NOT NULL, project INTEGER, subject TEXT NOT NULL, detail TEXT NOT NULL);
            CREATE INDEX console_audit_by_project ON console_audit (project, serial) WHERE project IS NOT NULL;
            """)
}
