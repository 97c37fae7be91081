import Glibc
import PushCore

/// Where a server keeps what it knows: the database and, beside it, keys and certificates of other parts.
public struct DataDirectory: Sendable {
    static let databaseName = "pharos.sqlite3"
    static let serverLockName = "server.lock"
    /// The files of a database in use, none of which may be copied by itself.
    static let databaseFiles = [databaseName, databaseName + "-wal", databaseName + "-shm"]

    public let path: String

    public init(path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    var databasePath: String { file(Self.databaseName) }

    /// Whether a database is there.
    public var holdsDatabase: Bool { access(databasePath, F_OK) == 0 }

    func file(_ name: String) -> String { path + "/" + name }

    /// Makes the directory (mode 0700) and those above it when they are missing.
    func create() throws(StoreError) {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/" + name
            let isLast = made.hasSuffix("/" + path) || made == path
            guard mkdir(made, isLast ? 0o700 : 0o755) != 0, errno != EEXIST else { continue }
            if isLast || errno != EROFS && errno != EACCES { throw failure("make the directory \(made)") }
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .unavailable("\(path) is not a directory. Name another one with --data-dir.")
        }
    }

    /// Makes an empty database file that only its owner may read, so that SQLite's other files are like it.
    func createDatabaseFile() throws(StoreError) {
        let descriptor = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open \(databasePath)") }
        close(descriptor)
    }

    /// Lets one process at a time open or migrate the database.
    func exclusively<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open the directory \(path)") }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("lock the directory \(path)") }
        }
        return try body()
    }

    func failure(_ action: String) -> StoreError {
        .unavailable("Cannot \(action): \(String(cString: strerror(errno))).")
    }
}
