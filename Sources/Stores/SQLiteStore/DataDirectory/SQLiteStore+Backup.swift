import Glibc
public import PushCore

extension SQLiteStore {
    /// Copies everything into a new directory, while the store is in use: the database as it is at one moment, and the
    /// other files of the data directory (keys, certificates). Blocks until the copy is on the disk.
    ///
    /// - Parameter path: Must not exist, nor lie in the data directory. It appears when it is complete.
    public func backup(to path: String) throws(StoreError) {
        guard access(path, F_OK) != 0 else { throw .conflict("\(path) exists. Name a new directory.") }
        let partial = path + ".partial"
        guard !(partial + "/").hasPrefix(dataDirectory.path + "/") else {
            throw .conflict("A backup inside the data directory would be lost with it. Name another place.")
        }
        guard mkdir(partial, 0o700) == 0 || errno == EEXIST else { throw dataDirectory.failure("make \(partial)") }
        try backUpDatabase(to: DataDirectory(path: partial))
        let skipped = DataDirectory.databaseFiles + [DataDirectory.serverLockName]
        try FileCopy.copyFiles(of: dataDirectory.path, to: partial, skipping: Set(skipped))
        guard rename(partial, path) == 0 else { throw dataDirectory.failure("make \(path)") }
    }

    private func backUpDatabase(to copy: DataDirectory) throws(StoreError) {
        unlink(copy.databasePath)
        try copy.createDatabaseFile()
        let connection = try Connection(path: dataDirectory.databasePath, access: .readOnly)
        try connection.change("VACUUM INTO ?", copy.databasePath)
    }

    /// Puts a backup into a data directory that no server uses.
    ///
    /// Messages that waited when the backup was made are sent again unless their time to live has ended.
    /// - Parameter replacing: Whether a database that is there is put aside, as `pharos.sqlite3.replaced`.
    /// - Throws: When the backup is damaged or of a newer version, or the directory is in use.
    public static func restore(
        from backup: String, to directory: DataDirectory, replacing: Bool = false
    ) throws(StoreError) {
        let source = DataDirectory(path: backup)
        guard source.holdsDatabase else { throw .notFound("\(backup) holds no backup of Pharos.") }
        try checkBackup(source)
        try directory.create()
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        guard replacing || !directory.holdsDatabase else {
            throw .conflict("\(directory.path) holds a database. Restore into another directory, or use --replace.")
        }
        try directory.exclusively { () throws(StoreError) in
            let incoming = directory.file("restored.sqlite3")
            try FileCopy.copy(source.databasePath, to: incoming)
            try FileCopy.copyFiles(of: backup, to: directory.path, skipping: Set(DataDirectory.databaseFiles))
            try putAside(directory)
            guard rename(incoming, directory.databasePath) == 0 else {
                throw directory.failure("put the database there")
            }
            try FileCopy.syncDirectory(directory.path)
        }
    }

    private static func checkBackup(_ backup: DataDirectory) throws(StoreError) {
        let connection = try Connection(path: backup.databasePath, access: .readOnly)
        guard try Migration.checkedVersion(of: connection) > 0 else {
            throw .notFound("\(backup.path) holds no backup of Pharos.")
        }
        let answer = try connection.first("PRAGMA integrity_check(1)") { $0.text(0) }
        guard answer == "ok" else { throw .unavailable("The backup is damaged (\(answer ?? "")). Use another one.") }
    }

    /// Keeps the old database under another name, with the log that belongs to it.
    private static func putAside(_ directory: DataDirectory) throws(StoreError) {
        let aside = directory.databasePath + ".replaced"
        for suffix in ["-wal", "-shm"] { unlink(aside + suffix) }
        guard directory.holdsDatabase else { return }
        guard rename(directory.databasePath, aside) == 0 else { throw directory.failure("put the database aside") }
        rename(directory.databasePath + "-wal", aside + "-wal")
        unlink(directory.databasePath + "-shm")
    }
}
