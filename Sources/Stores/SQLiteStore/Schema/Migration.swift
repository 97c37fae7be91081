import PushCore

/// One step from a version of the schema to the next. Steps that were released never change.
struct Migration: Sendable {
    /// `PRAGMA user_version` afterwards.
    let version: Int64
    let sql: String

    /// Every step, oldest first.
    static let all = [
        firstSchema, secondSchema, thirdSchema, fourthSchema, fifthSchema, sixthSchema, seventhSchema, eighthSchema,
    ]

    /// "PHRS": marks a database file as ours, `PRAGMA application_id`.
    static let applicationID: Int64 = 0x5048_5253

    /// The version that this program writes.
    static var newestVersion: Int64 { all.last?.version ?? 0 }

    /// Brings the database to the newest version, in one transaction. Call it on one process at a time.
    static func migrate(_ connection: Connection, steps: [Migration] = all) throws(StoreError) {
        let newest = steps.last?.version ?? 0
        let current = try checkedVersion(of: connection, newest: newest)
        guard current < newest else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            for step in steps where step.version > current { try connection.execute(step.sql) }
            try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(newest); COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// - Returns: The version of the database, 0 when it is empty.
    /// - Throws: When the file is not ours, or is of a newer version than this program knows.
    static func checkedVersion(of connection: Connection, newest: Int64 = newestVersion) throws(StoreError) -> Int64 {
        let application = try connection.integer("PRAGMA application_id")
        let version = try connection.integer("PRAGMA user_version")
        let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        guard application == applicationID || isEmpty else {
            throw .unavailable("The database file in the data directory belongs to another program.")
        }
        guard version <= newest else {
            throw .unavailable(
                "The data directory was written by a newer Pharos (schema \(version); this one knows \(newest)). "
                    + "Run that version, or restore a backup that this version made.")
        }
        return version
    }
}
