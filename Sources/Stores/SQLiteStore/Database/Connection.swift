import CSQLite
import PushCore

/// One connection to the database, with the statements prepared on it.
///
/// Opened without SQLite's own locks, so it serves one thread at a time.
// Sendable: `ReaderPool` lends a connection to one caller at a time, and the writer's belongs to the writer's thread.
final class Connection: @unchecked Sendable {
    enum Access {
        case readOnly, readWrite
    }

    /// How long a statement waits for another process that writes.
    static let busyTimeoutMilliseconds: Int32 = 10_000

    /// Set once for the process, before the library's first use.
    private static let librarySettings = csqlite_leave_memory_uncounted()

    private let handle: OpaquePointer
    private var statements = StatementTable()
    /// Two of each `RepeatedStatement`: for one row and for many.
    private var repeated = [OpaquePointer?](repeating: nil, count: 2 * RepeatedStatement.allCases.count)

    init(path: String, access: Access) throws(StoreError) {
        _ = Self.librarySettings
        var opened: OpaquePointer?
        let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let opened else { throw .unavailable("No memory for a connection to the database.") }
        handle = opened
        try check(code)
        sqlite3_busy_timeout(handle, Self.busyTimeoutMilliseconds)
    }

    deinit {
        for statement in statements.all { sqlite3_finalize(statement) }
        for case let statement? in repeated { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// How many rows the last change touched.
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// Whether no transaction is open: SQLite ends one by itself after some errors.
    var isOutsideTransaction: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Runs statements that give no rows. For settings and schemas: the text must not hold data from outside.
    func execute(_ sql: String) throws(StoreError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Prepares the statement, or takes the one prepared before, binds the values and lends it.
    func withStatement<Result, each Value: SQLiteValue>(
        _ sql: StaticString, _ values: repeat each Value, body: (OpaquePointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let statement = try prepared(sql)
        defer { sqlite3_reset(statement) }
        var place: Int32 = 0
        for value in repeat each values {
            place += 1
            try check(value.bind(to: statement, at: place))
        }
        return try body(statement)
    }

    /// Moves a statement to its next row.
    /// - Returns: Whether there is one.
    func step(_ statement: OpaquePointer) throws(StoreError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Calls back with the pages of the write-ahead log after each commit of this connection.
    func observeLog(_ pages: UnsafeMutablePointer<Int32>) {
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, pages)
    }

    /// Calls back for each row that a statement of this connection inserts, changes or deletes.
    func observeRows(
        _ context: UnsafeMutableRawPointer,
        _ callback:
            @escaping @convention(c) (
                UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64
            ) -> Void
    ) {
        sqlite3_update_hook(handle, callback, context)
    }

    /// Moves pages from the write-ahead log to the database file.
    /// - Parameter waitsForReaders: Then the log starts anew afterwards; else readers may hold back a part.
    func checkpoint(waitsForReaders: Bool) throws(StoreError) {
        let mode = waitsForReaders ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code & 0xFF != SQLITE_BUSY else { return }
        try check(code)
    }

    private func prepared(_ sql: StaticString) throws(StoreError) -> OpaquePointer {
        if let statement = statements[sql.utf8Start] { return statement }
        let text = UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
        let statement = try prepare(text, bytes: sql.utf8CodeUnitCount)
        statements[sql.utf8Start] = statement
        return statement
    }

    /// Lends the statement for one row, or for `RepeatedStatement.rowsAtOnce`.
    func withStatement(
        _ repeated: RepeatedStatement, isMany: Bool, body: (OpaquePointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try prepared(repeated, isMany: isMany)
        defer { sqlite3_reset(statement) }
        try body(statement)
    }

    private func prepared(_ repeated: RepeatedStatement, isMany: Bool) throws(StoreError) -> OpaquePointer {
        let place = 2 * repeated.rawValue + (isMany ? 1 : 0)
        if let statement = self.repeated[place] { return statement }
        let sql = repeated.sql(rows: isMany ? RepeatedStatement.rowsAtOnce : 1)
        let statement = try prepare(sql, bytes: sql.utf8.count)
        self.repeated[place] = statement
        return statement
    }

    private func prepare(_ text: UnsafePointer<CChar>, bytes: Int) throws(StoreError) -> OpaquePointer {
        var statement: OpaquePointer?
        try check(
            sqlite3_prepare_v3(handle, text, Int32(bytes), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw .unavailable("An empty statement was prepared.") }
        return statement
    }

    /// A statement that the caller finalizes.
    func prepareOnce(_ sql: String) throws(StoreError) -> OpaquePointer {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        guard let statement else { throw .unavailable("An empty statement was prepared.") }
        return statement
    }

    func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        .sqlite(code, String(cString: sqlite3_errmsg(handle)))
    }
}
