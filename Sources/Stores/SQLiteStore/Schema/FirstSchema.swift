extension Migration {
    /// Projects and keys, devices, app instances and registrations, messages on their way, and what became of them.
    ///
    /// Times are milliseconds since 1970. Repeating texts (bundle ids, app ids, versions, senders, scopes) are in
    /// `texts`, and 0 is the empty text; `InstanceName` says how `fid` is written. The tables that grow with traffic have no foreign keys, which would cost a
    /// look-up on each insert: `ProjectRemoval` deletes what belongs to a project.
    static let firstSchema = Migration(
        version: 1,
        sql: """
            CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID;
            INSERT INTO settings VALUES ('directory-version', 1);

            CREATE TABLE projects (
                number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL,
                created_at INTEGER NOT NULL);
            CREATE TABLE apps (
                serial INTEGER PRIMARY KEY, project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
                id TEXT NOT NULL UNIQUE, platform TEXT NOT NULL, bundle_id TEXT NOT NULL,
                api_key TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL, created_at INTEGER NOT NULL);
            CREATE UNIQUE INDEX apps_by_bundle ON apps (project, platform, bundle_id) WHERE bundle_id <> '';
            CREATE TABLE service_accounts (
                serial INTEGER PRIMARY KEY AUTOINCREMENT,
                project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE, email TEXT NOT NULL,
                key_id TEXT NOT NULL, public_key BLOB NOT NULL, enabled INTEGER NOT NULL,
                created_at INTEGER NOT NULL, UNIQUE (email, key_id));
            CREATE INDEX service_accounts_by_project ON service_accounts (project);
            CREATE TABLE server_keys (
                serial INTEGER PRIMARY KEY, project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
                hash BLOB NOT NULL UNIQUE, created_at INTEGER NOT NULL);
            CREATE INDEX server_keys_by_project ON server_keys (project);
            CREATE TABLE apns_credentials (
                serial INTEGER PRIMARY KEY AUTOINCREMENT,
                project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
                environments INTEGER NOT NULL, bundle_ids TEXT NOT NULL, key_pem TEXT NOT NULL, key_id TEXT,
                team_id TEXT, chain_pem TEXT, created_at INTEGER NOT NULL);
            CREATE INDEX apns_credentials_by_project ON apns_credentials (project);
            CREATE TABLE removed_projects (number INTEGER PRIMARY KEY);

            CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

            CREATE TABLE devices (
                android_id INTEGER PRIMARY KEY, secret_hash BLOB NOT NULL, created_at INTEGER NOT NULL,
                seen_at INTEGER NOT NULL);

            CREATE TABLE instances (
                serial INTEGER PRIMARY KEY, project INTEGER NOT NULL, fid NOT NULL, app INTEGER,
                refresh_hash BLOB, sdk_version INTEGER, created_at INTEGER);
            CREATE UNIQUE INDEX instances_by_fid ON instances (fid, project);

            CREATE TABLE registrations (
                id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, instance INTEGER,
                kind INTEGER NOT NULL, app INTEGER NOT NULL, bundle INTEGER NOT NULL, sender INTEGER NOT NULL,
                scope INTEGER NOT NULL, subtype TEXT, environment INTEGER NOT NULL, address BLOB,
                nonce INTEGER NOT NULL, android_id INTEGER NOT NULL, app_version INTEGER NOT NULL,
                sdk_version INTEGER NOT NULL, created_at INTEGER NOT NULL, confirmed_at INTEGER NOT NULL,
                ending INTEGER, ended_at INTEGER);
            CREATE INDEX registrations_by_instance ON registrations (instance) WHERE instance IS NOT NULL;
            CREATE INDEX registrations_by_device ON registrations (android_id) WHERE android_id <> 0;
            CREATE INDEX registrations_by_address ON registrations (address)
                WHERE address IS NOT NULL AND ending IS NULL;
            CREATE TABLE web_subscriptions (
                registration INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
                application_key TEXT NOT NULL);

            CREATE TABLE messages (
                id INTEGER PRIMARY KEY, project INTEGER NOT NULL, first_delivery INTEGER NOT NULL,
                last_delivery INTEGER NOT NULL, accepted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
                content BLOB NOT NULL);
            CREATE TABLE deliveries (
                id INTEGER PRIMARY KEY, message INTEGER NOT NULL, registration INTEGER NOT NULL);
            CREATE TABLE delivery_events (
                id INTEGER PRIMARY KEY, message INTEGER NOT NULL, project INTEGER NOT NULL,
                registration INTEGER NOT NULL, outcome INTEGER NOT NULL, time INTEGER NOT NULL, detail);
            CREATE TABLE delivery_counts (
                project INTEGER NOT NULL, day INTEGER NOT NULL, outcome INTEGER NOT NULL, count INTEGER NOT NULL,
                PRIMARY KEY (project, day, outcome)) WITHOUT ROWID;
            """)
}
