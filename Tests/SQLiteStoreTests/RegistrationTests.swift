import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Registrations in SQLite` {
    let directory = TemporaryDirectory()

    @Test func `a registration comes back as it was given`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let app = try await store.createApp(
            in: project.number, platform: .ios, bundleID: Sample.bundle, displayName: "")
        var draft = Sample.draft(project)
        draft.app = app.id
        let registration = try await store.register(draft)
        #expect(registration.app == app.id)
        #expect(registration.bundleID == Sample.bundle)
        #expect(registration.channel == .apple(Sample.address(1)))
        #expect(registration.fid == Sample.fid)
        #expect(registration.tokenNonce == 1)
        #expect(registration.createdAt == .testStart)
        #expect(try store.registration(registration.id) == registration)
        #expect(try store.registration(fid: Sample.fid, in: project.number) == registration)
    }

    static let channels: [Registration.Channel] = [
        .apple(nil), .apple(Sample.address(7, .sandbox)), .device,
        .web(endpoint: "https://example.com/é", p256dh: "BQ", auth: "YQ", applicationKey: ""),
    ]
    @Test(arguments: channels, [false, true])
    func `every channel and mode is kept`(channel: Registration.Channel, isFIDMode: Bool) async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        var draft = Sample.draft(project)
        (draft.channel, draft.isFIDMode, draft.freshNonce) = (channel, isFIDMode, .max)
        draft.androidID = UInt64(Int64.max)
        let registration = try await store.register(draft)
        #expect(registration.channel == channel)
        #expect(registration.tokenNonce == .max)
        #expect(try store.registration(registration.id) == registration)
    }

    @Test func `the same key renews and keeps row and token`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let first = try await store.register(Sample.draft(project, nonce: 1))
        let later = Timestamp.testStart.adding(seconds: 60)
        let second = try await store.register(Sample.draft(project, address: Sample.address(2), nonce: 2, time: later))
        #expect(second.id == first.id)
        #expect(second.tokenNonce == 1)
        #expect(second.channel == .apple(Sample.address(2)))
        #expect(second.createdAt == .testStart)
        #expect(second.confirmedAt == later)
        #expect(try store.registration(first.id) == second)
    }

    static let otherKeys: [(name: String, change: @Sendable (inout RegistrationDraft) -> Void)] = [
        ("fid", { $0.fid = Sample.otherFID }), ("bundle", { $0.bundleID = "com.example.other" }),
        ("sender", { $0.sender = "123456789012" }), ("subtype", { $0.subtype = "wp:https://example.com/#1" }),
        ("scope", { $0.scope = "fiam" }), ("mode", { $0.isFIDMode = true }), ("kind", { $0.channel = .device }),
    ]
    @Test(arguments: otherKeys.map(\.name))
    func `another key adds a registration`(part: String) async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let change = try #require(Self.otherKeys.first { $0.name == part }?.change)
        var draft = Sample.draft(project, address: nil)
        let first = try await store.register(draft)
        change(&draft)
        let second = try await store.register(draft)
        #expect(second.id != first.id)
        #expect(try store.registration(first.id)?.ending == nil)
    }

    @Test func `without a FID the device is the key, and without both every registration is new`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        var draft = Sample.draft(project, fid: "")
        draft.channel = .device
        let first = try await store.register(draft)
        #expect(try await store.register(draft).id == first.id)
        draft.androidID = 43
        #expect(try await store.register(draft).id != first.id)
        draft.androidID = 0
        let unknown = try await store.register(draft)
        #expect(try await store.register(draft).id != unknown.id)
        #expect(try store.registration(fid: "", in: project.number) == nil)
    }

    @Test func `an ended registration that comes back gets a fresh token`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let first = try await store.register(Sample.draft(project, nonce: 1))
        try await store.end(first.id, .deletedByApp, at: .testStart)
        #expect(try store.registration(first.id)?.ending == .deletedByApp)
        #expect(try store.registration(fid: Sample.fid, in: project.number) == nil)
        #expect(try store.hasKnown(fid: Sample.fid, in: project.number))
        #expect(try !store.hasKnown(fid: "fSNFZ4mrze8BI0VniavN7w", in: project.number))
        let second = try await store.register(Sample.draft(project, nonce: 2))
        #expect(second.id == first.id)
        #expect(second.tokenNonce == 2)
        #expect(second.ending == nil)
    }

    @Test func `a FID that moves to another device gets a fresh token`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        var draft = Sample.draft(project, nonce: 1)
        let first = try await store.register(draft)
        (draft.androidID, draft.freshNonce) = (99, 2)
        let moved = try await store.register(draft)
        #expect(moved.id == first.id)
        #expect(moved.tokenNonce == 2)
        #expect(moved.androidID == 99)
    }

    @Test func `an app that does not know its APNs token yet keeps the confirmed one`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        _ = try await store.register(Sample.draft(project))
        let later = Timestamp.testStart.adding(seconds: 60)
        let renewed = try await store.register(Sample.draft(project, address: nil, time: later))
        #expect(renewed.channel == .apple(Sample.address(1)))
        #expect(renewed.confirmedAt == .testStart)
        try await store.end(renewed.id, .unregisteredByAPNs, at: later)
        let revived = try await store.register(Sample.draft(project, address: nil, nonce: 5, time: later))
        #expect(revived.channel == .apple(nil))
    }

    @Test func `the newest registration of an APNs token ends those of other app instances`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let other = try await Sample.project(store, "demo-other")
        let old = try await store.register(Sample.draft(project))
        let elsewhere = try await store.register(Sample.draft(other))
        var otherApp = Sample.draft(project, fid: "eCCCCCCCCCCCCCCCCCCCCC")
        otherApp.bundleID = "com.example.other"
        let inOtherApp = try await store.register(otherApp)
        let otherToken = try await store.register(
            Sample.draft(project, fid: "fDDDDDDDDDDDDDDDDDDDDD", address: Sample.address(9)))
        let new = try await store.register(
            Sample.draft(project, fid: Sample.otherFID, address: Sample.address(1, .sandbox)))
        #expect(try store.registration(old.id)?.ending == .replaced)
        #expect(try store.registration(new.id)?.ending == nil)
        for kept in [elsewhere, inOtherApp, otherToken] { #expect(try store.registration(kept.id)?.ending == nil) }
    }

    @Test func `registrations of one app instance for several senders live side by side`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let token = try await store.register(Sample.draft(project))
        var draft = Sample.draft(project, time: .testStart.adding(seconds: 1))
        (draft.isFIDMode, draft.sender, draft.subtype, draft.scope, draft.androidID) = (true, "", "", "", 0)
        let byFID = try await store.register(draft)
        #expect(try store.registration(token.id)?.ending == nil)
        #expect(try store.registration(fid: Sample.fid, in: project.number)?.id == byFID.id)
    }

    @Test(arguments: [-1, 0, 1, nil] as [Int64?])
    func `APNs ends a registration unless the app confirmed its token later`(offset: Int64?) async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        let address = try #require(Sample.address(1))
        let invalidAt = offset.map { Timestamp.testStart.adding(milliseconds: $0) }
        let ended = try await store.endUnregistered(
            registration.id, address: address, invalidAt: invalidAt, at: .testStart)
        #expect(ended == (offset != -1))
        #expect(try store.registration(registration.id)?.ending == (ended ? .unregisteredByAPNs : nil))
    }

    @Test func `APNs ends nothing when the address has changed since`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        for address in [Sample.address(2), Sample.address(1, .sandbox)] {
            let address = try #require(address)
            #expect(try await !store.endUnregistered(registration.id, address: address, invalidAt: nil, at: .testStart))
        }
        let unknown = RegistrationID(value: 999)
        let address = try #require(Sample.address(1))
        #expect(try await !store.endUnregistered(unknown, address: address, invalidAt: nil, at: .testStart))
    }

    @Test func `the environment of an APNs token can be corrected`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        try await store.setEnvironment(.sandbox, of: registration.id)
        #expect(try store.registration(registration.id)?.channel == .apple(Sample.address(1, .sandbox)))
        try await store.setEnvironment(.sandbox, of: RegistrationID(value: .max))
    }

    @Test func `ending an ended registration keeps the first reason`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        try await store.end(registration.id, .expired, at: .testStart)
        try await store.end(registration.id, .deletedByApp, at: .testStart)
        try await store.end(RegistrationID(value: -1), .deletedByApp, at: .testStart)
        #expect(try store.registration(registration.id)?.ending == .expired)
    }

    @Test func `a registration of an unknown project is refused`() async throws {
        let store = try directory.open()
        let project = Project(
            id: try #require(ProjectID("demo-nobody")), number: ProjectNumber(value: 123_456_789_012), displayName: "",
            createdAt: .testStart)
        await #expect(throws: StoreError.notFound("There is no project 123456789012.")) {
            try await store.register(Sample.draft(project))
        }
        var draft = Sample.draft(project)
        draft.project = ProjectNumber(value: 0)
        #expect(try await store.register(draft).project.value == 0)
    }
}
