extension Migration {
    /// What apps reported of messages.
    ///
    /// `reported_events_once` lets a device repeat itself, and finds a project's rows when it is deleted. Rows go by
    /// their age, oldest first.
    static let fourthSchema = Migration(
        version: 4,
        sql: """
            CREATE TABLE reported_events (
                id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, message TEXT NOT NULL,
                instance TEXT NOT NULL, kind INTEGER NOT NULL, occurred_at INTEGER NOT NULL,
                received_at INTEGER NOT NULL, message_type INTEGER NOT NULL, platform INTEGER NOT NULL,
                app TEXT NOT NULL, topic TEXT, label TEXT, campaign INTEGER, composer TEXT);
            CREATE UNIQUE INDEX reported_events_once ON reported_events (project, message, instance, kind);
            """)
}
