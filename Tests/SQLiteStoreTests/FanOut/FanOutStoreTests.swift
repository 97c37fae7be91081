import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Fan-outs in SQLite` {
    let directory = TemporaryDirectory()
    static let id = MessageID(value: 1_700_000_000_000_001)

    @Test func `is counted until the last outcome is in`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (one, two) = try await recipients(store, project)
        let message = Sample.message(project, id: Self.id.value)
        try await store.acceptFanOut(message)
        #expect(try store.openFanOuts() == [OpenFanOut(message: message)])
        let first = try #require(
            try await store.extendFanOut(
                Self.id, by: FanOutChunk(members: [one.id], cursor: one.id, isLast: false)))
        #expect(try store.openFanOuts() == [OpenFanOut(message: message, cursor: one.id)])
        // A direct message in between: the deliveries of the fan-out are not consecutive.
        let direct = try await store.accept(Sample.message(project, id: 9), recipients: [one.id])
        store.finish([Sample.finished(first[0], of: message, registration: one.id)])
        try await store.settle()
        #expect(try rows(store, message.id) == 1)
        let second = try #require(
            try await store.extendFanOut(Self.id, by: FanOutChunk(members: [two.id], cursor: two.id, isLast: true)))
        #expect(try store.openFanOuts().isEmpty)
        #expect(try store.progress(of: Self.id)?.isDone == false)
        #expect(try store.pendingDeliveries(after: DeliveryID(value: 0), limit: 9).map(\.id) == direct + second)
        store.finish([Sample.finished(second[0], of: message, registration: two.id, outcome: .expired)])
        store.finish([Sample.finished(second[0], of: message, registration: two.id, outcome: .expired)])
        try await store.settle()
        let progress = try #require(try store.progress(of: Self.id))
        #expect(
            progress
                == MessageProgress(
                    message: Self.id, project: project.number, recipients: 2, accepted: 1, expired: 1, isSplit: true))
        #expect(progress.isDone)
        #expect(try rows(store, message.id) == 0)
        #expect(try store.largestMessageID() == Self.id)
        #expect(
            try await store.extendFanOut(Self.id, by: FanOutChunk(members: [one.id], cursor: one.id, isLast: true))
                == nil)
    }

    @Test func `without members is done at once`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        try await store.acceptFanOut(Sample.message(project, id: Self.id.value))
        let ids = try await store.extendFanOut(Self.id, by: FanOutChunk(members: [], cursor: nil, isLast: true))
        #expect(ids == [])
        #expect(try store.progress(of: Self.id)?.isDone == true)
        #expect(try rows(store, Self.id) == 0)
    }

    @Test func `is accepted once`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        try await store.acceptFanOut(Sample.message(project, id: Self.id.value))
        await #expect(throws: StoreError.self) {
            try await store.acceptFanOut(Sample.message(project, id: Self.id.value, body: "other"))
        }
        #expect(try store.openFanOuts().count == 1)
        #expect(try store.progress(of: MessageID(value: 1)) == nil)
    }

    @Test func `goes on after the process ended between two chunks`() async throws {
        var store = try directory.open()
        let project = try await Sample.project(store)
        let (one, two) = try await recipients(store, project)
        let message = Sample.message(project, id: Self.id.value)
        try await store.acceptFanOut(message)
        let chunk = FanOutChunk(members: [one.id], cursor: one.id, isLast: false)
        let first = try #require(try await store.extendFanOut(Self.id, by: chunk))
        store.close()
        store = try directory.open()
        #expect(try store.openFanOuts() == [OpenFanOut(message: message, cursor: one.id)])
        #expect(try store.pendingDeliveries(after: DeliveryID(value: 0), limit: 9).map(\.id) == first)
        let last = FanOutChunk(members: [two.id], cursor: two.id, isLast: true)
        let second = try #require(try await store.extendFanOut(Self.id, by: last))
        store.close()
        store = try directory.open()
        // What a later process finishes is counted all the same.
        store.finish([
            Sample.finished(first[0], of: message, registration: one.id),
            Sample.finished(
                second[0], of: message, registration: two.id, outcome: .failed(SendError(.unregistered, "gone"))),
        ])
        try await store.settle()
        let progress = try #require(try store.progress(of: Self.id))
        #expect(progress.isDone && progress.accepted == 1 && progress.failed == 1)
        #expect(try rows(store, Self.id) == 0)
    }

    @Test func `is forgotten with its events`() async throws {
        let store = try directory.open(retention: 2)
        let project = try await Sample.project(store)
        let (one, _) = try await recipients(store, project)
        let old = MessageID(value: Timestamp.testStart.milliseconds * 1000)
        try await store.acceptFanOut(Sample.message(project, id: old.value))
        _ = try await store.extendFanOut(old, by: FanOutChunk(members: [], cursor: nil, isLast: true))
        let message = Sample.message(project, id: old.value + 1)
        let ids = try await store.accept(message, recipients: [one.id])
        let later = Timestamp.testStart.adding(seconds: 3 * 86_400)
        store.finish([Sample.finished(ids[0], of: message, registration: one.id, time: later)])
        try await store.settle()
        _ = try await store.writer.write(needsSavepoint: false) { (context) throws(StoreError) in
            try context.pruneEvents()
        }
        #expect(try store.progress(of: old) == nil)
    }

    private func recipients(_ store: SQLiteStore, _ project: Project) async throws -> (Registration, Registration) {
        let first = try await store.register(Sample.draft(project))
        let second = try await store.register(
            Sample.draft(project, fid: Sample.otherFID, address: Sample.address(2, .sandbox)))
        return (first, second)
    }

    private func rows(_ store: SQLiteStore, _ message: MessageID) throws -> Int64 {
        try store.readers.read { (connection) throws(StoreError) in
            try connection.integer(
                "SELECT count(*) FROM fan_outs WHERE is_done = 0 AND message = ?", message.value)
        }
    }
}
