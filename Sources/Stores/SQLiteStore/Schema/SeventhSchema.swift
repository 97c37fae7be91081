extension Migration {
    /// Campaigns with their runs, and what segments ask of app instances.
    ///
    /// `next_run_at` is when a campaign is due, `next_local` what clocks show then, `next_audience` who gets it. Counts of
    /// a run are those of its fan-out, kept here when the fan-out is forgotten. Languages, countries, time zones and names
    /// of properties are numbers of `texts`. `segment_values` has what occurs in a project: versions (1) and time zones
    /// (2), so that a rule over texts becomes a list of numbers.
    static let seventhSchema = Migration(
        version: 7,
        sql: """
            CREATE TABLE campaigns (
                id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, revision INTEGER NOT NULL,
                version INTEGER NOT NULL, state TEXT NOT NULL, state_reason TEXT NOT NULL, content BLOB NOT NULL,
                created_at INTEGER NOT NULL, created_by TEXT NOT NULL, updated_at INTEGER NOT NULL,
                published_at INTEGER, next_run_at INTEGER, next_local INTEGER, next_audience TEXT,
                last_run_at INTEGER, runs INTEGER NOT NULL);
            CREATE INDEX campaigns_by_project ON campaigns (project, id);
            CREATE INDEX campaigns_due ON campaigns (next_run_at)
                WHERE state IN ('SCHEDULED', 'RUNNING') AND next_run_at IS NOT NULL;
            CREATE TABLE campaign_runs (
                campaign INTEGER NOT NULL, number INTEGER NOT NULL, project INTEGER NOT NULL, due_at INTEGER NOT NULL,
                due_local INTEGER NOT NULL, due_audience TEXT NOT NULL, ran_at INTEGER NOT NULL, result TEXT NOT NULL,
                missed INTEGER NOT NULL, message INTEGER, reason TEXT NOT NULL, targeted INTEGER NOT NULL DEFAULT 0,
                accepted INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
                expired INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (campaign, number)) WITHOUT ROWID;
            CREATE UNIQUE INDEX campaign_runs_once ON campaign_runs (campaign, due_at, due_audience);
            CREATE INDEX campaign_runs_by_message ON campaign_runs (message) WHERE message IS NOT NULL;
            CREATE TRIGGER fan_outs_go BEFORE DELETE ON fan_outs
                BEGIN
                    UPDATE campaign_runs SET targeted = OLD.members, accepted = OLD.accepted, failed = OLD.failed,
                        expired = OLD.expired WHERE message = OLD.message;
                END;
            CREATE INDEX reported_events_of_campaigns ON reported_events (project, campaign, kind)
                WHERE campaign IS NOT NULL;

            ALTER TABLE devices ADD COLUMN language INTEGER;
            ALTER TABLE devices ADD COLUMN country INTEGER;
            ALTER TABLE devices ADD COLUMN time_zone INTEGER;
            ALTER TABLE registrations ADD COLUMN language INTEGER;
            ALTER TABLE registrations ADD COLUMN country INTEGER;
            ALTER TABLE registrations ADD COLUMN time_zone INTEGER;
            ALTER TABLE instances ADD COLUMN engaged_at INTEGER;
            CREATE TABLE instance_properties (
                instance INTEGER NOT NULL, name INTEGER NOT NULL, value TEXT NOT NULL, number REAL,
                PRIMARY KEY (instance, name)) WITHOUT ROWID;
            CREATE INDEX instance_properties_by_value ON instance_properties (name, value);
            CREATE TABLE segment_values (
                project INTEGER NOT NULL, kind INTEGER NOT NULL, value INTEGER NOT NULL,
                PRIMARY KEY (project, kind, value)) WITHOUT ROWID;
            INSERT INTO segment_values SELECT DISTINCT project, 1, app_version FROM registrations;
            """)
}
