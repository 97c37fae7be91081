import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Deleting registrations by filter` {
    let directory = TemporaryDirectory()

    /// A filter's parts, and which of the four registrations of `fill` they end.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var filter: @Sendable (Project) -> RegistrationFilter
        var ended: [Int]

        init(_ name: String, ends: [Int], _ filter: @escaping @Sendable (Project) -> RegistrationFilter) {
            (testDescription, self.filter, ended) = (name, filter, ends)
        }
    }

    static let rows = [
        Row("nothing named", ends: []) { _ in RegistrationFilter() },
        Row("device", ends: [0, 1, 2]) { _ in RegistrationFilter(androidID: 42) },
        Row("another device", ends: []) { _ in RegistrationFilter(androidID: 41) },
        Row("device 0 has no registrations of its own", ends: [3]) { _ in RegistrationFilter(androidID: 0) },
        Row("device and bundle", ends: [0, 1]) { _ in RegistrationFilter(androidID: 42, bundleID: Sample.bundle) },
        Row("device and unknown bundle", ends: []) { _ in RegistrationFilter(androidID: 42, bundleID: "com.none") },
        Row("fid", ends: [0, 1]) { _ in RegistrationFilter(fid: Sample.fid) },
        Row("fid and device", ends: []) { _ in RegistrationFilter(androidID: 7, fid: Sample.fid) },
        Row("fid and scope", ends: [1]) { _ in RegistrationFilter(fid: Sample.fid, scope: "fiam") },
        Row("fid and sender", ends: [0, 1]) { RegistrationFilter(fid: Sample.fid, sender: $0.number.description) },
        Row("fid and unknown sender", ends: []) { _ in RegistrationFilter(fid: Sample.fid, sender: "1") },
        Row("unknown fid", ends: []) { _ in RegistrationFilter(fid: "fZZZZZZZZZZZZZZZZZZZZZ") },
        Row("project", ends: [0, 1, 2, 3]) { RegistrationFilter(project: $0.number) },
        Row("another project", ends: []) { _ in RegistrationFilter(project: ProjectNumber(value: 5)) },
        Row("no sender", ends: [3]) { RegistrationFilter(project: $0.number, sender: "") },
    ]

    @Test(arguments: rows) func `ends what all its parts match`(row: Row) async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registrations = try await fill(store, project)
        let filter = row.filter(project)
        let count = try await store.endRegistrations(filter, at: .testStart)
        #expect(count == row.ended.count)
        for (place, registration) in registrations.enumerated() {
            let ending = try store.registration(registration.id)?.ending
            #expect(ending == (row.ended.contains(place) ? .deletedByApp : nil))
        }
        #expect(try await store.endRegistrations(filter, at: .testStart) == 0)
    }

    private func fill(_ store: SQLiteStore, _ project: Project) async throws -> [Registration] {
        var scoped = Sample.draft(project)
        scoped.scope = "fiam"
        var otherApp = Sample.draft(project, fid: Sample.otherFID, address: nil)
        otherApp.bundleID = "com.example.other"
        var byFID = Sample.draft(project, fid: "eCCCCCCCCCCCCCCCCCCCCC", address: Sample.address(3))
        (byFID.isFIDMode, byFID.androidID, byFID.sender, byFID.subtype, byFID.scope) = (true, 0, "", "", "")
        var registrations: [Registration] = []
        for draft in [Sample.draft(project), scoped, otherApp, byFID] {
            registrations.append(try await store.register(draft))
        }
        return registrations
    }
}
