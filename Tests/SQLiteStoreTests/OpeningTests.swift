import Glibc
import PushCore
import PushModel
import Testing

@testable import SQLiteStore

@Suite struct `Opening a data directory` {
    let directory = TemporaryDirectory()

    @Test func `only the owner may read what is made`() throws {
        let store = try directory.open(role: .server)
        #expect(mode(directory.data.path) == 0o700)
        let names = TemporaryDirectory.contents(of: directory.data.path)
        #expect(names.contains("pharos.sqlite3"))
        for name in names { #expect(mode(directory.data.file(name)) == 0o600, "\(name)") }
        withExtendedLifetime(store) {}
    }

    @Test func `the server's secret is made once`() throws {
        let secret = try directory.open().serverSecret
        #expect(secret.count == 32)
        #expect(try directory.open().serverSecret == secret)
        #expect(try TemporaryDirectory().open().serverSecret != secret)
    }

    @Test func `one server at a time, beside any number of commands`() throws {
        let server = try directory.open(role: .server)
        #expect(throws: StoreError.self) { try directory.open(role: .server) }
        let command = try directory.open()
        server.close()
        let next = try directory.open(role: .server)
        withExtendedLifetime((command, next)) {}
    }

    @Test func `a newer schema is refused with what to do`() throws {
        try directory.open().close()
        try change("PRAGMA user_version = 99")
        #expect(
            throws: StoreError.unavailable(
                "The data directory was written by a newer Pharos (schema 99; this one knows \(Migration.newestVersion)). Run that version, or "
                    + "restore a backup that this version made.")
        ) { try directory.open() }
    }

    @Test func `another program's database is refused untouched`() throws {
        try directory.data.create()
        try directory.data.createDatabaseFile()
        try change("CREATE TABLE other (id)")
        #expect(throws: StoreError.unavailable("The database file in the data directory belongs to another program.")) {
            try directory.open()
        }
    }

    @Test func `migrations run once each, in order, and a failing one changes nothing`() throws {
        try directory.data.create()
        try directory.data.createDatabaseFile()
        let connection = try Connection(path: directory.data.databasePath, access: .readWrite)
        let first = Migration(version: 1, sql: "CREATE TABLE a (id)")
        let second = Migration(version: 2, sql: "CREATE TABLE b (id); INSERT INTO b VALUES (1)")
        let broken = Migration(version: 3, sql: "CREATE TABLE c (id); INSERT INTO missing VALUES (1)")
        try Migration.migrate(connection, steps: [first])
        try Migration.migrate(connection, steps: [first, second])
        try Migration.migrate(connection, steps: [first, second])
        #expect(throws: StoreError.self) { try Migration.migrate(connection, steps: [first, second, broken]) }
        #expect(try connection.integer("PRAGMA user_version") == 2)
        #expect(try connection.integer("SELECT count(*) FROM b") == 1)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'c'") == 0)
        #expect(Migration.all.map(\.version) == Array(1...Migration.newestVersion))
    }

    static let damages: [String] = ["noise", "header", "truncated", "page"]
    @Test(arguments: damages) func `a damaged file is an error with what to do`(damage: String) async throws {
        var store: SQLiteStore? = try directory.open()
        let project = try await Sample.project(try #require(store))
        store?.close()
        store = nil
        try self.damage(damage)
        do {
            let reopened = try directory.open()
            _ = try await reopened.register(Sample.draft(project))
            _ = try await reopened.createApp(in: project.number, platform: .ios, bundleID: "a", displayName: "")
            Issue.record("a damaged file was used")
        } catch let error as StoreError {
            guard case .unavailable(let text) = error else { throw error }
            #expect(text.contains("restore") || text.contains("another program"), "\(text)")
        }
    }

    @Test func `a path that is no directory is an error`() throws {
        try directory.data.create()
        try directory.data.createDatabaseFile()
        let file = DataDirectory(path: directory.data.databasePath)
        #expect(throws: StoreError.self) { try file.create() }
        #expect(throws: StoreError.self) { try DataDirectory(path: file.path + "/below").create() }
    }

    static let paths = [("a", "a"), ("a/", "a"), ("/", "/"), ("/a/b/", "/a/b")]
    @Test(arguments: paths) func `a trailing slash means nothing`(path: String, expected: String) {
        #expect(DataDirectory(path: path).path == expected)
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func change(_ sql: String) throws {
        try Connection(path: directory.data.databasePath, access: .readWrite).execute(sql)
    }

    private func damage(_ kind: String) throws {
        let descriptor = Glibc.open(directory.data.databasePath, O_RDWR)
        defer { Glibc.close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        let noise = [UInt8](repeating: 0xA5, count: 4096)
        switch kind {
        case "noise": for place in stride(from: 0, to: size, by: 4096) { pwrite(descriptor, noise, 4096, place) }
        case "header": pwrite(descriptor, noise, 100, 0)
        case "truncated": ftruncate(descriptor, size / 2 / 4096 * 4096)
        default: for place in stride(from: 4096, to: size, by: 4096) { pwrite(descriptor, noise, 4096, place) }
        }
    }
}
