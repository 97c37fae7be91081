import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `The project directory in SQLite` {
    let directory = TemporaryDirectory()

    @Test func `a project is found by id and number, and its identities have the public forms`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let app = try await store.createApp(
            in: project.number, platform: .ios, bundleID: Sample.bundle, displayName: "Demo")
        #expect(project.number.description.utf8.count == 12)
        #expect(project.createdAt == .testStart)
        #expect(store.project(id: project.id) == project)
        #expect(store.project(number: project.number) == project)
        #expect(store.project(named: "demo-pharos") == project)
        #expect(store.project(named: project.number.description) == project)
        #expect(try store.projects() == [project])
        #expect(app.id.text.wholeMatch(of: /1:[1-9][0-9]{11}:ios:[0-9a-f]{22}/) != nil)
        #expect(app.apiKey.wholeMatch(of: /AIza[A-Za-z0-9_-]{35}/) != nil)
        #expect(store.app(id: app.id) == app)
        #expect(store.app(apiKey: app.apiKey) == app)
        #expect(store.apps(of: project.number) == [app])
    }

    @Test func `what is unknown is not found`() async throws {
        let store = try directory.open()
        #expect(store.project(named: "demo-pharos") == nil)
        #expect(store.project(named: "") == nil)
        #expect(store.app(apiKey: "AIzaSy") == nil)
        #expect(store.serviceAccount(serial: 1) == nil)
        #expect(store.serviceAccounts(email: "a@b").isEmpty)
        #expect(store.project(serverKeyHash: []) == nil)
        #expect(store.apnsCredentials(of: ProjectNumber(value: .max)).isEmpty)
        #expect(try store.projects().isEmpty)
    }

    @Test func `names are given once`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let other = try await Sample.project(store, "demo-other")
        await #expect(throws: StoreError.conflict("A project with the id demo-pharos exists.")) {
            try await Sample.project(store)
        }
        func app(_ project: Project, _ platform: AppPlatform, _ bundle: String) async throws -> App {
            try await store.createApp(in: project.number, platform: platform, bundleID: bundle, displayName: "")
        }
        _ = try await app(project, .ios, Sample.bundle)
        await #expect(throws: StoreError.self) { try await app(project, .ios, Sample.bundle) }
        _ = try await app(project, .android, Sample.bundle)
        _ = try await app(other, .ios, Sample.bundle)
        _ = try await app(project, .web, "")
        _ = try await app(project, .web, "")
        try await store.addServerKey(hash: [1, 2], to: project.number)
        await #expect(throws: StoreError.self) { try await store.addServerKey(hash: [1, 2], to: other.number) }
        #expect(store.project(serverKeyHash: [1, 2]) == project)
        #expect(store.serverKeyCount(of: project.number) == 1)
    }

    @Test func `nothing can be added to a project that does not exist`() async throws {
        let store = try directory.open()
        for number in [ProjectNumber(value: 0), ProjectNumber(value: 5), ProjectNumber(value: .max)] {
            await #expect(throws: StoreError.self) {
                try await store.createApp(in: number, platform: .ios, bundleID: "a", displayName: "")
            }
            await #expect(throws: StoreError.self) {
                try await store.addServiceAccount(email: "a", in: number, keyID: "k", publicKey: [])
            }
            await #expect(throws: StoreError.self) { try await store.addServerKey(hash: [], to: number) }
            await #expect(throws: StoreError.self) {
                try await store.importAPNsCredential(
                    .certificate(chainPEM: "", keyPEM: ""), project: number, environments: [.sandbox], bundleIDs: [])
            }
            await #expect(throws: StoreError.self) { try await store.deleteProject(number) }
        }
    }

    @Test func `service accounts can be switched off`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let account = try await store.addServiceAccount(
            email: "a@demo-pharos.iam.gserviceaccount.com", in: project.number, keyID: "abc", publicKey: [1, 2, 3])
        #expect(store.serviceAccount(serial: account.serial) == account)
        #expect(store.serviceAccounts(of: project.number) == [account])
        try await store.setServiceAccount(serial: account.serial, enabled: false)
        #expect(store.serviceAccounts(email: account.email).map(\.isEnabled) == [false])
        await #expect(throws: StoreError.conflict("The service account \(account.email) has that key.")) {
            try await store.addServiceAccount(
                email: account.email, in: project.number, keyID: "abc", publicKey: [])
        }
        await #expect(throws: StoreError.notFound("There is no such service account.")) {
            try await store.setServiceAccount(serial: 99, enabled: true)
        }
    }

    @Test func `an APNs credential takes over the environments of those for the same bundle ids`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        func add(_ key: String, _ environments: Set<APNsEnvironment>, _ bundles: Set<String> = []) async throws
            -> APNsCredential
        {
            try await store.importAPNsCredential(
                .signingKey(pem: "pem", keyID: key, teamID: "TEAM"), project: project.number,
                environments: environments, bundleIDs: bundles)
        }
        var both = try await add("A", [.sandbox, .production])
        #expect(store.apnsCredentials(of: project.number) == [both])
        let forOneApp = try await store.importAPNsCredential(
            .certificate(chainPEM: "chain", keyPEM: "key"), project: project.number, environments: [.production],
            bundleIDs: ["b", "a"])
        let production = try await add("B", [.production])
        both.environments = [.sandbox]
        #expect(store.apnsCredentials(of: project.number) == [both, forOneApp, production])
        let newest = try await add("C", [.sandbox, .production])
        #expect(store.apnsCredentials(of: project.number) == [forOneApp, newest])
        try await store.removeAPNsCredential(serial: newest.serial)
        await #expect(throws: StoreError.notFound("There is no such APNs credential.")) {
            try await store.removeAPNsCredential(serial: newest.serial)
        }
        let again = try await add("D", [.sandbox])
        #expect(again.serial > newest.serial)
    }

    @Test func `another process's change is seen`() async throws {
        let server = try directory.open(role: .server)
        let command = try directory.open()
        let project = try await Sample.project(command)
        #expect(server.project(id: project.id) == project)
    }

    @Test func `deleting a project deletes what belongs to it, and nothing else`() async throws {
        let store = try directory.open()
        let (project, other) = (try await Sample.project(store), try await Sample.project(store, "demo-other"))
        var kept: [RegistrationID] = []
        for (place, owner) in [project, other, project].enumerated() {
            let fid = "c\(place)AAAAAAAAAAAAAAAAAAAA"
            let registration = try await store.register(
                Sample.draft(owner, fid: fid, address: Sample.address(UInt8(place))))
            let (waiting, done) = (
                Sample.message(owner, id: Int64(place) + 1), Sample.message(owner, id: Int64(place) + 10)
            )
            _ = try await store.accept(waiting, recipients: [registration.id])
            let ids = try await store.accept(done, recipients: [registration.id])
            store.finish(ids.map { Sample.finished($0, of: done, registration: registration.id) })
            if owner == other { kept.append(registration.id) }
        }
        _ = try await store.createApp(in: project.number, platform: .ios, bundleID: "a", displayName: "")
        try await store.deleteProject(project.number)
        #expect(try store.projects() == [other])
        #expect(store.project(number: project.number) == nil)
        for table in Self.ownedTables { #expect(try count(store, table, of: project) == 0, "\(table)") }
        // Messages that are done are kept for the inspector, until they are old, as this one is.
        for table in Self.trafficTables {
            #expect((table == "messages" ? 1...2 : 1...1).contains(try count(store, table, of: other)), "\(table)")
        }
        #expect(try store.pendingDeliveries(after: DeliveryID(value: 0), limit: 10).map(\.recipient.id) == kept)
    }

    @Test func `a deletion that a crash stopped is finished at the server's next start`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        _ = try await store.register(Sample.draft(project))
        let removal = ProjectRemoval(number: project.number)
        try await store.writer.write { (context) throws(StoreError) in try removal.begin(in: context) }
        store.close()
        let command = try directory.open()
        #expect(try command.projects().isEmpty)
        #expect(try count(command, "registrations", of: project) == 1)
        let server = try directory.open(role: .server)
        for table in Self.trafficTables { #expect(try count(server, table, of: project) == 0, "\(table)") }
    }

    static let trafficTables = ["registrations", "instances", "messages", "delivery_events", "delivery_counts"]
    static let ownedTables = trafficTables + ["apps", "service_accounts", "server_keys", "apns_credentials"]

    private func count(_ store: SQLiteStore, _ table: String, of project: Project) throws -> Int64 {
        try store.readers.read { (connection) throws(StoreError) in
            try connection.countRows(of: table, project: project.number)
        }
    }
}

extension Connection {
    /// For tests: how many rows of a table belong to a project.
    func countRows(of table: String, project: ProjectNumber) throws(StoreError) -> Int64 {
        switch table {
        case "registrations":
            try integer("SELECT count(*) FROM registrations WHERE project = ?", project.value)
        case "instances": try integer("SELECT count(*) FROM instances WHERE project = ?", project.value)
        case "messages": try integer("SELECT count(*) FROM messages WHERE project = ?", project.value)
        case "delivery_events": try integer("SELECT count(*) FROM delivery_events WHERE project = ?", project.value)
        case "delivery_counts": try integer("SELECT count(*) FROM delivery_counts WHERE project = ?", project.value)
        case "apps": try integer("SELECT count(*) FROM apps WHERE project = ?", project.value)
        case "service_accounts": try integer("SELECT count(*) FROM service_accounts WHERE project = ?", project.value)
        case "server_keys": try integer("SELECT count(*) FROM server_keys WHERE project = ?", project.value)
        default: try integer("SELECT count(*) FROM apns_credentials WHERE project = ?", project.value)
        }
    }
}
