import PushCore
import Synchronization

/// Connections that only read, lent to one caller at a time. There are as many as callers were ever at once: one per
/// event loop.
final class ReaderPool: Sendable {
    private let path: String
    private let idle = Mutex<[Connection]>([])

    init(path: String) {
        self.path = path
    }

    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let idleConnection = idle.withLock { $0.popLast() }
        let connection = if let idleConnection { idleConnection } else { try open() }
        defer { idle.withLock { $0.append(connection) } }
        return try body(connection)
    }

    private func open() throws(StoreError) -> Connection {
        let connection = try Connection(path: path, access: .readOnly)
        try connection.execute("PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -4096; PRAGMA query_only = 1")
        return connection
    }

    /// Closes the connections that nobody uses.
    func close() {
        idle.withLock { $0.removeAll() }
    }
}
