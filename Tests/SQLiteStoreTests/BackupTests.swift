import Glibc
import PushCore
import PushModel
import Testing

@testable import SQLiteStore

@Suite struct `Backup and restore` {
    let directory = TemporaryDirectory()
    let other = TemporaryDirectory()

    private var backup: String { directory.path + "/backup" }

    @Test func `a backup made while the store is in use brings everything back`() async throws {
        let store = try directory.open(role: .server)
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        let message = Sample.message(project, id: 5)
        _ = try await store.accept(message, recipients: [registration.id])
        try write("secret", to: directory.data.file("ca.key"))
        mkdir(directory.data.file("tls"), 0o700)
        try write("chain", to: directory.data.file("tls/chain.pem"))
        try store.backup(to: backup)
        _ = try await store.accept(Sample.message(project, id: 6), recipients: [registration.id])
        #expect(Set(TemporaryDirectory.contents(of: backup)) == ["pharos.sqlite3", "ca.key", "tls"])

        try SQLiteStore.restore(from: backup, to: other.data)
        let restored = try other.open(role: .server)
        #expect(restored.serverSecret == store.serverSecret)
        #expect(restored.project(id: project.id) == project)
        let pending = try restored.pendingDeliveries(after: DeliveryID(value: 0), limit: 10)
        #expect(pending.map(\.message) == [message])
        #expect(pending.map(\.recipient) == [registration])
        #expect(try read(other.data.file("tls/chain.pem")) == "chain")
        for name in ["pharos.sqlite3", "ca.key", "tls/chain.pem"] { #expect(mode(other.data.file(name)) == 0o600) }
    }

    @Test func `a backup overwrites nothing and stays out of the data directory`() throws {
        let store = try directory.open()
        try store.backup(to: backup)
        #expect(throws: StoreError.conflict("\(backup) exists. Name a new directory.")) {
            try store.backup(to: backup)
        }
        #expect(throws: StoreError.self) { try store.backup(to: directory.data.file("backup")) }
        #expect(throws: StoreError.self) { try store.backup(to: directory.path + "/missing/backup") }
    }

    @Test func `restoring over a database needs to be asked for, and keeps the old one`() async throws {
        let store = try directory.open()
        try store.backup(to: backup)
        let project = try await Sample.project(store)
        store.close()
        #expect(throws: StoreError.self) { try SQLiteStore.restore(from: backup, to: directory.data) }
        #expect(try directory.open().project(id: project.id) == project)
        try SQLiteStore.restore(from: backup, to: directory.data, replacing: true)
        #expect(try directory.open().projects().isEmpty)
        let aside = try Connection(path: directory.data.databasePath + ".replaced", access: .readOnly)
        #expect(try aside.integer("SELECT count(*) FROM projects") == 1)
    }

    @Test func `a running server's directory is left alone`() throws {
        let store = try directory.open(role: .server)
        try store.backup(to: backup)
        #expect(throws: StoreError.self) {
            try SQLiteStore.restore(from: backup, to: directory.data, replacing: true)
        }
    }

    @Test func `what is no whole backup is refused`() throws {
        #expect(throws: StoreError.notFound("/nowhere holds no backup of Pharos.")) {
            try SQLiteStore.restore(from: "/nowhere", to: other.data)
        }
        let store = try directory.open()
        try store.backup(to: backup)
        let file = DataDirectory(path: backup).databasePath
        let size = try size(file)
        let descriptor = open(file, O_RDWR)
        pwrite(descriptor, [UInt8](repeating: 0xA5, count: 4096), 4096, size / 2 / 4096 * 4096)
        close(descriptor)
        #expect(throws: StoreError.self) { try SQLiteStore.restore(from: backup, to: other.data) }
        truncate(file, 0)
        #expect(throws: StoreError.notFound("\(backup) holds no backup of Pharos.")) {
            try SQLiteStore.restore(from: backup, to: other.data)
        }
        #expect(!other.data.holdsDatabase)
    }

    private func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
        close(descriptor)
    }

    private func read(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = Glibc.read(descriptor, &bytes, 100)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func size(_ path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return Int(status.st_size)
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
