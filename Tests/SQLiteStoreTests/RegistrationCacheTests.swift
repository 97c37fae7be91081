import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Registrations that a server remembers` {
    let directory = TemporaryDirectory()

    /// A change of one registration, whatever way it takes.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable (SQLiteStore, Registration) async throws -> Void
    }

    static let changes = [
        Change(testDescription: "an end") { try await $0.end($1.id, .deletedByApp, at: .testStart) },
        Change(testDescription: "an end because of APNs") { store, registration in
            guard case .apple(let address?) = registration.channel else { return }
            _ = try await store.endUnregistered(registration.id, address: address, invalidAt: nil, at: .testStart)
        },
        Change(testDescription: "another environment") { try await $0.setEnvironment(.sandbox, of: $1.id) },
        Change(testDescription: "an end by filter") { store, registration in
            _ = try await store.endRegistrations(
                RegistrationFilter(project: registration.project, fid: registration.fid), at: .testStart)
        },
        Change(testDescription: "a renewal with another APNs token") { store, registration in
            guard let project = store.project(number: registration.project) else { return }
            _ = try await store.register(Sample.draft(project, address: Sample.address(9)))
        },
        Change(testDescription: "another instance that takes its APNs token over") { store, registration in
            guard let project = store.project(number: registration.project) else { return }
            _ = try await store.register(Sample.draft(project, fid: Sample.otherFID))
        },
    ]

    @Test(arguments: changes)
    func `a read sees every change that has returned`(change: Change) async throws {
        let store = try directory.open(role: .server)
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        #expect(try store.registration(registration.id) == registration)
        #expect(try store.liveRegistrations([registration.id]) == [registration])
        try await change.make(store, registration)
        let now = try #require(try store.registration(registration.id))
        #expect(now != registration)
        #expect(try store.liveRegistrations([registration.id]) == (now.ending == nil ? [now] : []))
        #expect(
            try now
                == store.readers.read { (connection) throws(StoreError) in
                    try RegistrationReader(connection: connection, texts: store.texts).registration(registration.id)
                })
    }

    @Test func `members of topics come in their order, remembered or not`() async throws {
        let store = try directory.open(role: .server)
        let project = try await Sample.project(store)
        let first = try await store.register(Sample.draft(project))
        let second = try await store.register(Sample.draft(project, fid: Sample.otherFID, address: Sample.address(9)))
        #expect(try store.liveRegistrations([second.id]) == [second])
        #expect(try store.liveRegistrations([first.id, second.id]) == [first, second])
        #expect(try store.liveRegistrations([first.id, RegistrationID(value: 99), second.id]) == [first, second])
        try await store.end(first.id, .deletedByApp, at: .testStart)
        #expect(try store.liveRegistrations([first.id, second.id]) == [second])
    }

    @Test func `a change that was undone leaves the registration as it was`() async throws {
        let store = try directory.open(role: .server)
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        #expect(try store.registration(registration.id) == registration)
        await #expect(throws: StoreError.self) {
            try await store.writer.write { (context) throws(StoreError) in
                try context.end(registration.id, .deletedByApp, at: .testStart)
                throw .conflict("changed my mind")
            }
        }
        #expect(try store.registration(registration.id) == registration)
    }

    @Test func `readers beside a writer never go back in time`() async throws {
        let store = try directory.open(role: .server)
        let project = try await Sample.project(store)
        let id = try await store.register(Sample.draft(project)).id
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var last = Timestamp.testStart
                    for _ in 0..<2000 {
                        let seen = try #require(try store.registration(id)).confirmedAt
                        #expect(seen >= last)
                        last = seen
                    }
                }
            }
            group.addTask {
                for second in 1...50 {
                    let time = Timestamp.testStart.adding(seconds: Int64(second))
                    _ = try await store.register(Sample.draft(project, time: time))
                    #expect(try store.registration(id)?.confirmedAt == time)
                }
            }
        }
    }

    @Test func `more registrations than are remembered are read from the store`() throws {
        let cache = RegistrationCache(limit: 10)
        var reads = 0
        for round in 0..<2 {
            for number in 1...100 {
                let id = RegistrationID(value: Int64(number))
                let found = try cache.registration(id) { () throws(StoreError) in
                    reads += 1
                    return sample(id)
                }
                #expect(found?.id == id, "round \(round)")
            }
        }
        #expect(reads == 200)
    }

    @Test func `what is forgotten while it is read is not remembered`() throws {
        let cache = RegistrationCache(limit: 10)
        let id = RegistrationID(value: 7)
        var reads = 0
        for _ in 0..<2 {
            _ = try cache.registration(id) { () throws(StoreError) in
                reads += 1
                if reads == 1 { cache.forget([id]) }
                return sample(id)
            }
        }
        _ = try cache.registration(id) { () throws(StoreError) in
            reads += 1
            return nil
        }
        #expect(reads == 2)
    }

    private func sample(_ id: RegistrationID) -> Registration {
        Registration(
            id: id, project: ProjectNumber(value: 1), app: nil, fid: "", bundleID: "", channel: .device,
            isFIDMode: false, tokenNonce: 0, androidID: 0, appVersion: "", sdkVersion: "", createdAt: .testStart,
            confirmedAt: .testStart)
    }
}
