extension Migration {
    /// Topics, device groups and fan-outs.
    ///
    /// Who follows a topic is kept twice, each time packed: `topic_chunks` has for a topic the registrations in
    /// ascending order, some hundred to a row (`MemberChunk`); `topic_lists` has for a registration its topics in order
    /// of subscription (`TopicList`). `members` counts what the chunks hold. The triggers note whose list must go because
    /// the registration ended or was deleted; the transaction that did it empties `topic_leavers` again.
    static let secondSchema = Migration(
        version: 2,
        sql: """
            CREATE TABLE topics (
                id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, name TEXT NOT NULL,
                members INTEGER NOT NULL);
            CREATE UNIQUE INDEX topics_by_name ON topics (project, name);
            CREATE TABLE topic_chunks (
                topic INTEGER NOT NULL, first INTEGER NOT NULL, members BLOB NOT NULL,
                PRIMARY KEY (topic, first)) WITHOUT ROWID;
            CREATE TABLE topic_lists (registration INTEGER PRIMARY KEY, topics BLOB NOT NULL);
            CREATE TABLE topic_leavers (registration INTEGER PRIMARY KEY);
            CREATE TRIGGER registrations_end AFTER UPDATE OF ending ON registrations
                WHEN NEW.ending IS NOT NULL AND OLD.ending IS NULL
                BEGIN
                    INSERT OR IGNORE INTO topic_leavers SELECT registration FROM topic_lists WHERE registration = NEW.id;
                END;
            CREATE TRIGGER registrations_go AFTER DELETE ON registrations
                BEGIN
                    INSERT OR IGNORE INTO topic_leavers SELECT registration FROM topic_lists WHERE registration = OLD.id;
                END;
            CREATE TABLE topic_rules (
                project INTEGER NOT NULL, denies INTEGER NOT NULL, place INTEGER NOT NULL, pattern TEXT NOT NULL,
                PRIMARY KEY (project, denies, place)) WITHOUT ROWID;

            CREATE TABLE device_groups (
                id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, name TEXT NOT NULL,
                created_at INTEGER NOT NULL);
            CREATE UNIQUE INDEX device_groups_by_name ON device_groups (project, name);
            CREATE TABLE device_group_members (
                device_group INTEGER NOT NULL, registration INTEGER NOT NULL,
                PRIMARY KEY (device_group, registration)) WITHOUT ROWID;

            CREATE TABLE fan_outs (
                message INTEGER PRIMARY KEY, project INTEGER NOT NULL, cursor INTEGER NOT NULL DEFAULT 0,
                members INTEGER NOT NULL DEFAULT 0, accepted INTEGER NOT NULL DEFAULT 0,
                failed INTEGER NOT NULL DEFAULT 0, expired INTEGER NOT NULL DEFAULT 0,
                is_split INTEGER NOT NULL DEFAULT 0, is_done INTEGER NOT NULL DEFAULT 0);
            CREATE INDEX fan_outs_open ON fan_outs (message) WHERE is_done = 0;
            """)
}
