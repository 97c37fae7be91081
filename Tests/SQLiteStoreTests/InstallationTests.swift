import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Devices and installations in SQLite` {
    let directory = TemporaryDirectory()

    @Test func `a device is known by its secret, which is not in the file`() async throws {
        let store = try directory.open()
        let device = DeviceCredentials(androidID: 4_000_000_000_000_000_001, securityToken: 0x1122_3344_5566_7788)
        #expect(try !store.isDevice(device))
        #expect(try await !store.confirmDevice(device, at: .testStart))
        try await store.addDevice(device, at: .testStart)
        #expect(try store.isDevice(device))
        #expect(try store.knowsDevice(androidID: device.androidID))
        #expect(try await store.confirmDevice(device, at: .testStart.adding(seconds: 5)))
        let wrong = DeviceCredentials(androidID: device.androidID, securityToken: 1)
        #expect(try !store.isDevice(wrong))
        #expect(try await !store.confirmDevice(wrong, at: .testStart))
        #expect(try !store.knowsDevice(androidID: 2))
        let stored = try store.readers.read { (connection) throws(StoreError) in
            try connection.first("SELECT secret_hash FROM devices") { $0.blob(0) }
        }
        #expect(stored?.count == 16)
    }

    @Test func `a device id is given once`() async throws {
        let store = try directory.open()
        let device = DeviceCredentials(androidID: 7, securityToken: 8)
        try await store.addDevice(device, at: .testStart)
        await #expect(throws: StoreError.conflict("The device id is taken.")) {
            try await store.addDevice(DeviceCredentials(androidID: 7, securityToken: 9), at: .testStart)
        }
        #expect(try store.isDevice(device))
    }

    @Test func `an installation is created, gets a new refresh token, and is deleted`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        var installation = try await installation(store, project)
        try await store.putInstallation(installation)
        #expect(try store.installation(installation.fid, in: project.number) == installation)
        installation.refreshTokenHash = [9, 9]
        var later = installation
        later.createdAt = .testStart.adding(seconds: 9)
        try await store.putInstallation(later)
        #expect(try store.installation(installation.fid, in: project.number) == installation)
        #expect(try await store.deleteInstallation(installation.fid, in: project.number, at: .testStart))
        #expect(try store.installation(installation.fid, in: project.number) == nil)
        #expect(try await !store.deleteInstallation(installation.fid, in: project.number, at: .testStart))
    }

    @Test func `another app of the project cannot take an installation id, but another project can`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let first = try await installation(store, project)
        try await store.putInstallation(first)
        let second = try await installation(store, project, bundle: "com.example.second")
        await #expect(throws: StoreError.conflict("Another app of the project has this installation id.")) {
            try await store.putInstallation(second)
        }
        #expect(try store.installation(first.fid, in: project.number) == first)
        let other = try await Sample.project(store, "demo-other")
        let elsewhere = try await installation(store, other)
        try await store.putInstallation(elsewhere)
        #expect(try store.installation(first.fid, in: other.number) == elsewhere)
    }

    @Test func `deleting an installation ends its registrations`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        let kept = try await store.register(Sample.draft(project, fid: Sample.otherFID, address: Sample.address(2)))
        let installation = try await installation(store, project)
        #expect(try store.installation(installation.fid, in: project.number) == nil)
        try await store.putInstallation(installation)
        #expect(try await store.deleteInstallation(installation.fid, in: project.number, at: .testStart))
        #expect(try store.registration(registration.id)?.ending == .installationDeleted)
        #expect(try store.registration(kept.id)?.ending == nil)
    }

    private func installation(
        _ store: SQLiteStore, _ project: Project, bundle: String = Sample.bundle
    ) async throws -> Installation {
        let app = try await store.createApp(in: project.number, platform: .ios, bundleID: bundle, displayName: "")
        let fid = try #require(FirebaseInstallationID(Sample.fid))
        return Installation(
            fid: fid, project: project.number, app: app.id, refreshTokenHash: [1, 2, 3], sdkVersion: "i:10.0.0",
            createdAt: .testStart)
    }
}
