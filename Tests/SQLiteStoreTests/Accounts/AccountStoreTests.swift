import Accounts
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `The store of accounts` {
    let directory = TemporaryDirectory()
    let store: SQLiteStore
    let now = Timestamp.testStart

    init() throws {
        store = try directory.open()
    }

    private func add(_ name: String, isAdministrator: Bool = false) async throws -> ConsoleUser {
        try await store.addUser(
            UserDraft(name: #require(UserName(name)), passwordHash: "hash", isAdministrator: isAdministrator), at: now)
    }

    @Test func `keeps users over a restart`() async throws {
        let project = try await Sample.project(store)
        let ann = try await store.changeUser(
            add("ann", isAdministrator: true).id, UserChange(roles: [project.number: .editor], mustChangePassword: true)
        )
        let other = try directory.open()
        #expect(try other.user(ann.id) == ann)
        #expect(ann.roles == [project.number: .editor] && ann.mustChangePassword && ann.isAdministrator)
        #expect(try other.user(named: ann.name)?.passwordHash == "hash")
        #expect(try other.hasUsers())
    }

    @Test func `lists users in the order of their numbers, a page at a time`() async throws {
        for name in ["zoe", "ann", "mia"] { _ = try await add(name) }
        let first = try store.users(after: nil, limit: 2)
        let second = try store.users(after: first.last?.id, limit: 2)
        #expect((first + second).map(\.name.text) == ["zoe", "ann", "mia"])
    }

    @Test func `never leaves a server without an administrator`() async throws {
        let ann = try await add("ann", isAdministrator: true)
        let refusal = StoreError.conflict("This is the last administrator. Make another one first.")
        await #expect(throws: refusal) { try await store.removeUser(ann.id) }
        await #expect(throws: refusal) { try await store.changeUser(ann.id, UserChange(isAdministrator: false)) }
        #expect(try store.user(ann.id)?.isAdministrator == true)
        let bob = try await add("bob", isAdministrator: true)
        try await store.removeUser(ann.id)
        #expect(try store.user(ann.id) == nil && store.user(bob.id) != nil)
    }

    @Test func `takes sessions, tokens and roles away with their user and project`() async throws {
        _ = try await add("root", isAdministrator: true)
        let (first, second) = (try await Sample.project(store), try await Sample.project(store, "demo-second"))
        let ann = try await store.changeUser(
            add("ann").id, UserChange(roles: [first.number: .viewer, second.number: .editor]))
        try await store.deleteProject(first.number)
        #expect(try store.user(ann.id)?.roles == [second.number: .editor])
        _ = try await store.openSession(hash: [1], of: ann.id, rules: SessionRules(), at: now)
        _ = try await store.addToken(hash: [2], name: "x", of: ann.id, expiresAt: nil, at: now)
        #expect(try store.session(hash: [1])?.user.id == ann.id && store.token(hash: [2])?.user.id == ann.id)
        try await store.removeUser(ann.id)
        #expect(try store.session(hash: [1]) == nil && store.token(hash: [2]) == nil)
        let next = try await add("ann")
        #expect(next.id != ann.id && next.roles.isEmpty)
    }

    @Test func `refuses roles in projects that are not there`() async throws {
        let ann = try await add("ann")
        await #expect(throws: StoreError.notFound("There is no project 7.")) {
            try await store.changeUser(ann.id, UserChange(roles: [ProjectNumber(value: 7): .viewer]))
        }
    }

    @Test func `forgets sessions that are over when somebody signs in`() async throws {
        let ann = try await add("ann")
        let rules = SessionRules(idleSeconds: 100, absoluteSeconds: 1000)
        _ = try await store.openSession(hash: [1], of: ann.id, rules: rules, at: now)
        _ = try await store.openSession(hash: [2], of: ann.id, rules: rules, at: now.adding(seconds: 99))
        #expect(try store.session(hash: [1]) != nil)
        _ = try await store.openSession(hash: [3], of: ann.id, rules: rules, at: now.adding(seconds: 100))
        #expect(try store.session(hash: [1]) == nil && store.session(hash: [2]) != nil)
    }

    @Test func `lets nobody hoard tokens`() async throws {
        let ann = try await add("ann")
        for number in 0..<UInt8(ConsoleToken.maximumPerUser) {
            _ = try await store.addToken(
                hash: [number], name: "x", of: ann.id, expiresAt: number == 0 ? now.adding(seconds: 1) : nil, at: now)
        }
        await #expect(throws: StoreError.self) {
            try await store.addToken(hash: [255], name: "x", of: ann.id, expiresAt: nil, at: now)
        }
        _ = try await store.addToken(
            hash: [255], name: "x", of: ann.id, expiresAt: nil, at: now.adding(seconds: 1))
    }
}

@Suite struct `The audit log` {
    let directory = TemporaryDirectory()
    let store: SQLiteStore

    init() throws {
        store = try directory.open()
    }

    private func record(_ subject: String, _ project: UInt64? = nil) async throws {
        try await store.record(
            AuditEntry(
                time: .testStart, user: "ann", action: "app.create",
                project: project.map { ProjectNumber(value: $0) }, subject: subject, detail: "detail"))
    }

    @Test func `gives the newest first, of all or of one project, a page at a time`() async throws {
        for number in 0..<6 { try await record("\(number)", UInt64(number % 2)) }
        let first = try store.auditEntries(of: nil, before: nil, limit: 4)
        let second = try store.auditEntries(of: nil, before: first.last?.serial, limit: 4)
        #expect((first + second).map(\.subject) == ["5", "4", "3", "2", "1", "0"])
        let odd = try store.auditEntries(of: ProjectNumber(value: 1), before: nil, limit: 10)
        #expect(odd.map(\.subject) == ["5", "3", "1"])
        #expect(odd.first?.user == "ann" && odd.first?.detail == "detail" && odd.first?.time == .testStart)
    }

    @Test func `keeps a bounded number of entries, and of each a bounded text`() async throws {
        try await record(String(repeating: "x", count: 10_000))
        #expect(try store.auditEntries(of: nil, before: nil, limit: 1).first?.subject.count == 512)
        try await store.writer.write { (context) throws(StoreError) in
            try context.connection.execute(
                """
                INSERT INTO console_audit (serial, time, user, action, subject, detail)
                VALUES (\(AuditRules.maximumEntries), 0, '', '', 'old', '')
                """)
        }
        try await record("new")
        #expect(try store.auditEntries(of: nil, before: nil, limit: 10).map(\.subject) == ["new", "old"])
    }
}

@Suite struct `The store of projects` {
    let directory = TemporaryDirectory()
    let store: SQLiteStore

    init() throws {
        store = try directory.open()
    }

    @Test func `renames projects and removes what belongs to them`() async throws {
        let project = try await Sample.project(store)
        try await store.renameProject(project.number, displayName: "Renamed")
        #expect(store.project(number: project.number)?.displayName == "Renamed")

        let app = try await store.createApp(
            in: project.number, platform: .ios, bundleID: "com.example.app", displayName: "")
        try await store.removeApp(app.id)
        #expect(store.app(id: app.id) == nil && store.app(apiKey: app.apiKey) == nil)
        await #expect(throws: StoreError.self) { try await store.removeApp(app.id) }

        let account = try await store.addServiceAccount(
            email: "a@b", in: project.number, keyID: "k", publicKey: [1])
        try await store.removeServiceAccount(serial: account.serial)
        #expect(store.serviceAccounts(of: project.number).isEmpty)

        let serial = try await store.addServerKey(hash: [7], to: project.number)
        #expect(try store.serverKeys(of: project.number).map(\.serial) == [serial])
        await #expect(throws: StoreError.self) {
            try await store.removeServerKey(serial: serial, of: ProjectNumber(value: 1))
        }
        try await store.removeServerKey(serial: serial, of: project.number)
        #expect(store.project(serverKeyHash: [7]) == nil)
    }

    @Test func `ends the registrations of an app that is removed, and no others`() async throws {
        let project = try await Sample.project(store)
        let (gone, kept) = (
            try await store.createApp(in: project.number, platform: .ios, bundleID: "com.example.a", displayName: ""),
            try await store.createApp(in: project.number, platform: .ios, bundleID: "com.example.b", displayName: "")
        )
        #expect(try store.progress(of: project.number).hasRegistrations == false)
        var drafts = [Sample.draft(project), Sample.draft(project, fid: Sample.otherFID, address: Sample.address(2))]
        drafts[1].androidID = 43
        drafts[0].app = gone.id
        drafts[1].app = kept.id
        let registrations = [try await store.register(drafts[0]), try await store.register(drafts[1])]
        #expect(try store.progress(of: project.number).hasRegistrations)
        try await store.removeApp(gone.id)
        #expect(try store.registration(registrations[0].id)?.ending == .installationDeleted)
        #expect(try store.registration(registrations[1].id)?.ending == nil)
    }
}
