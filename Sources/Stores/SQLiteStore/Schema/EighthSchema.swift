extension Migration {
    /// What reports count, and what the inspector shows.
    ///
    /// `messages` are kept for a while after their last delivery. `report_counts` has a row for each day on which
    /// messages were accepted (`calendar` 0: UTC; 1: Pacific time, for Google's API) and each thing counted, which is a
    /// `ReportMeasure`; 0 stands for no app, label or campaign. `message_ranges` says where the deliveries of a fan-out
    /// are. A row of `delivery_blocks` has the registrations of 4,096 deliveries in their order (`DeliveryBlock`): it is
    /// the index of deliveries by registration. `delivery_attempts` has answers that asked for another try.
    /// `registration_changes` says what a registration was before it changed: the trigger keeps the newest twenty.
    static let eighthSchema = Migration(
        version: 8,
        sql: """
            CREATE TABLE report_counts (
                project INTEGER NOT NULL, calendar INTEGER NOT NULL, day INTEGER NOT NULL, app INTEGER NOT NULL,
                label INTEGER NOT NULL, campaign INTEGER NOT NULL, measure INTEGER NOT NULL, count INTEGER NOT NULL,
                PRIMARY KEY (project, calendar, day, app, label, campaign, measure)) WITHOUT ROWID;
            CREATE INDEX report_counts_by_campaign ON report_counts (project, campaign, day) WHERE campaign <> 0;
            CREATE TABLE message_counts (
                message INTEGER NOT NULL, measure INTEGER NOT NULL, count INTEGER NOT NULL,
                PRIMARY KEY (message, measure)) WITHOUT ROWID;

            ALTER TABLE messages ADD COLUMN label INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE messages ADD COLUMN campaign INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX messages_by_project ON messages (project);
            CREATE INDEX messages_by_label ON messages (project, label) WHERE label <> 0;
            CREATE INDEX messages_by_campaign ON messages (project, campaign) WHERE campaign <> 0;
            CREATE TABLE message_topics (
                project INTEGER NOT NULL, topic TEXT NOT NULL, message INTEGER NOT NULL,
                PRIMARY KEY (project, topic, message)) WITHOUT ROWID;
            CREATE INDEX message_topics_by_message ON message_topics (message);
            CREATE TABLE message_ranges (
                message INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
                PRIMARY KEY (message, first)) WITHOUT ROWID;
            CREATE TABLE message_bytes (project INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
            INSERT INTO message_bytes SELECT project, sum(length(content)) FROM messages GROUP BY project;

            CREATE TABLE delivery_blocks (block INTEGER PRIMARY KEY, registrations BLOB NOT NULL);
            CREATE TABLE delivery_attempts (
                id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, delivery INTEGER NOT NULL,
                time INTEGER NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL);
            CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery);
            CREATE INDEX delivery_attempts_by_project ON delivery_attempts (project);

            CREATE TABLE registration_changes (
                id INTEGER PRIMARY KEY, project INTEGER NOT NULL, registration INTEGER NOT NULL, time INTEGER NOT NULL,
                nonce INTEGER NOT NULL, address BLOB, environment INTEGER NOT NULL, ending INTEGER,
                new_ending INTEGER, new_nonce INTEGER NOT NULL, new_address BLOB, new_environment INTEGER NOT NULL);
            CREATE INDEX registration_changes_by_registration ON registration_changes (registration);
            CREATE TRIGGER registrations_change
                AFTER UPDATE OF nonce, address, environment, ending ON registrations
                WHEN NEW.nonce IS NOT OLD.nonce OR NEW.address IS NOT OLD.address
                    OR NEW.environment IS NOT OLD.environment OR NEW.ending IS NOT OLD.ending
                BEGIN
                    INSERT INTO registration_changes (project, registration, time, nonce, address, environment, ending,
                        new_ending, new_nonce, new_address, new_environment)
                        VALUES (NEW.project, NEW.id, ifnull(NEW.ended_at, NEW.confirmed_at), OLD.nonce, OLD.address,
                            OLD.environment, OLD.ending, NEW.ending, NEW.nonce, NEW.address, NEW.environment);
                    DELETE FROM registration_changes WHERE registration = NEW.id AND id <=
                        (SELECT id FROM registration_changes WHERE registration = NEW.id
                            ORDER BY id DESC LIMIT 1 OFFSET 20);
                END;
            CREATE TRIGGER registrations_forget AFTER DELETE ON registrations
                BEGIN
                    DELETE FROM registration_changes WHERE registration = OLD.id;
                END;
            CREATE TABLE topic_days (
                topic INTEGER NOT NULL, day INTEGER NOT NULL, joined INTEGER NOT NULL, left INTEGER NOT NULL,
                PRIMARY KEY (topic, day)) WITHOUT ROWID;
            """)
}
