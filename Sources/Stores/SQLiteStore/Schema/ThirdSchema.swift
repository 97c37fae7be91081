extension Migration {
    /// What waits for devices on the device channel, and for app servers.
    ///
    /// Rows of `inbox` and `deliveries` share their numbers. A row of `inbox` with `dropped` is a note that so many
    /// messages were dropped; it has no message. `may_return` marks what APNs may bring when the device leaves. A row of
    /// `upstream` without content is closed; its origin is kept so that a repetition is recognised. Deliveries have
    /// numbers up to `deliveries-reserved` at most: none is given out twice, even when no row tells of it any more.
    static let thirdSchema = Migration(
        version: 3,
        sql: """
            CREATE TABLE inbox (
                delivery INTEGER PRIMARY KEY, device INTEGER NOT NULL, message INTEGER NOT NULL,
                registration INTEGER NOT NULL, collapse_key TEXT, expires_at INTEGER NOT NULL, dropped INTEGER,
                may_return INTEGER NOT NULL);
            CREATE INDEX inbox_by_device ON inbox (device);
            CREATE INDEX inbox_returning ON inbox (device) WHERE may_return = 1;
            CREATE INDEX inbox_notes ON inbox (registration) WHERE dropped IS NOT NULL;
            ALTER TABLE devices ADD COLUMN connected_at INTEGER;
            INSERT INTO settings VALUES ('deliveries-reserved', 0);

            CREATE TABLE upstream (
                id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, device INTEGER, category TEXT,
                queue_id TEXT, content BLOB, expires_at INTEGER NOT NULL);
            CREATE UNIQUE INDEX upstream_by_origin ON upstream (device, category, queue_id) WHERE queue_id IS NOT NULL;
            CREATE INDEX upstream_open ON upstream (project, id) WHERE content IS NOT NULL;
            CREATE INDEX upstream_by_expiry ON upstream (expires_at);
            """)
}
