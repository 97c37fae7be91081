import PushCore

extension SQLiteStore {
    /// The writer's connection and the server's secret.
    static func open(
        _ directory: DataDirectory, options: Options
    ) throws(StoreError) -> (connection: Connection, secret: [UInt8]) {
        try directory.exclusively { () throws(StoreError) in
            try directory.createDatabaseFile()
            let connection = try Connection(path: directory.databasePath, access: .readWrite)
            _ = try Migration.checkedVersion(of: connection)
            try configure(connection)
            try Migration.migrate(connection)
            return (connection, try secret(connection, randomBytes: options.randomBytes))
        }
    }

    /// A commit is on the disk when it returns (`FULL`), and readers never wait for the writer (`WAL`).
    private static func configure(_ connection: Connection) throws(StoreError) {
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768;
            PRAGMA journal_size_limit = 134217728; PRAGMA cell_size_check = ON
            """)
    }

    private static func secret(
        _ connection: Connection, randomBytes: (Int) -> [UInt8]
    ) throws(StoreError) -> [UInt8] {
        try connection.change(
            "INSERT OR IGNORE INTO settings (name, value) VALUES ('server-secret', ?)", randomBytes(32))
        let secret = try connection.first("SELECT value FROM settings WHERE name = 'server-secret'") { $0.blob(0) }
        guard let secret, secret.count == 32 else { throw .damaged("a server secret") }
        return secret
    }
}
