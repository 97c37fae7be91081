import CSQLite
import PushCore

extension StoreError {
    /// What a result code of SQLite means to a caller. Source: sqlite.org/rescode.html.
    static func sqlite(_ code: Int32, _ message: String) -> StoreError {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: .conflict(message)
        case SQLITE_FULL: .unavailable("The disk of the data directory is full. Make room; nothing else is needed.")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            .unavailable("The database file is damaged (\(message)). Restore a backup with `pharos restore`.")
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            .unavailable(
                "The database file cannot be opened for writing (\(message)). Check the owner and mode of the data "
                    + "directory.")
        case SQLITE_BUSY, SQLITE_LOCKED:
            .unavailable("Another process keeps the database locked (\(message)). Try again.")
        case SQLITE_IOERR: .unavailable("The disk failed (\(message)).")
        default: .unavailable("The database answered: \(message) (code \(code)).")
        }
    }

    /// A row that no version of this store could have written.
    static func damaged(_ what: String) -> StoreError {
        .unavailable("The database holds \(what) that cannot be read. Restore a backup with `pharos restore`.")
    }
}
