import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Deliveries in SQLite` {
    let directory = TemporaryDirectory()
    static let start = DeliveryID(value: 0)

    @Test func `an accepted message waits for each of its recipients`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (first, second) = try await recipients(store, project)
        let message = Sample.message(project, id: 1_700_000_000_000_001)
        let ids = try await store.accept(message, recipients: [second.id, first.id])
        #expect(ids.count == 2 && ids[0] < ids[1])
        let pending = try store.pendingDeliveries(after: Self.start, limit: 10)
        #expect(pending.map(\.id) == ids)
        #expect(pending.map(\.message) == [message, message])
        #expect(pending.map(\.recipient) == [second, first])
        #expect(try store.pendingDeliveries(after: ids[0], limit: 10).map(\.id) == [ids[1]])
        #expect(try store.pendingDeliveries(after: Self.start, limit: 1).map(\.id) == [ids[0]])
        #expect(try store.pendingDeliveries(after: Self.start, limit: 0).isEmpty)
        #expect(try store.pendingCount() == 2)
        #expect(try store.largestMessageID() == message.id)
    }

    @Test func `the content goes with the last delivery, and ids are never given twice`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (first, second) = try await recipients(store, project)
        let message = Sample.message(project, id: 7)
        let ids = try await store.accept(message, recipients: [first.id, second.id])
        store.finish([Sample.finished(ids[1], of: message, registration: second.id)])
        try await store.settle()
        #expect(try store.pendingDeliveries(after: Self.start, limit: 10).map(\.id) == [ids[0]])
        store.finish([Sample.finished(ids[0], of: message, registration: first.id, outcome: .expired)])
        try await store.settle()
        #expect(try rows(store, "messages") == 0)
        #expect(try store.pendingCount() == 0)
        let next = try await store.accept(Sample.message(project, id: 8), recipients: [first.id])
        #expect(next[0] > ids[1])
        store.close()
        let reopened = try directory.open()
        #expect(try reopened.largestMessageID() == MessageID(value: 8))
        let after = try await reopened.accept(Sample.message(project, id: 9), recipients: [first.id])
        #expect(after[0] > next[0])
    }

    @Test func `outcomes are counted once, by day and kind`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (first, _) = try await recipients(store, project)
        let message = Sample.message(project, id: 7)
        let ids = try await store.accept(message, recipients: Array(repeating: first.id, count: 4))
        let day: Int64 = 86_400_000
        let noon = Timestamp(milliseconds: 100 * day + day / 2)
        let unregistered = SendError(
            .unregistered, "gone", apns: APNsAnswer(status: 410, reason: "Unregistered", timestampMilliseconds: 1))
        func finished(_ place: Int, _ outcome: DeliveryOutcome, _ time: Timestamp) -> FinishedDelivery {
            Sample.finished(ids[place], of: message, registration: first.id, outcome: outcome, time: time)
        }
        let repeated = finished(0, .accepted(providerID: "not a uuid"), noon)
        store.finish([repeated, finished(1, .accepted(providerID: ""), noon), repeated])
        store.finish([])
        try await store.settle()
        store.finish([
            repeated, finished(2, .failed(unregistered), noon), finished(3, .expired, noon.adding(milliseconds: day)),
        ])
        try await store.settle()
        let counts = try store.readers.read { (connection) throws(StoreError) in
            try connection.all("SELECT day, outcome, count FROM delivery_counts ORDER BY day, outcome") {
                [$0.integer(0), $0.integer(1), $0.integer(2)]
            }
        }
        let gone = OutcomeCode.unregistered.rawValue
        #expect(counts == [[100, 1, 2], [100, gone, 1], [101, OutcomeCode.expired.rawValue, 1]])
        let details = try store.readers.read { (connection) throws(StoreError) in
            try connection.all("SELECT detail FROM delivery_events ORDER BY id") { $0.text(0) }
        }
        #expect(details == ["not a uuid", "", "Unregistered", ""])
    }

    @Test func `an id of the platform's service is kept as bytes`() {
        let detail = OutcomeDetail(of: .accepted(providerID: "12345678-9ABC-def0-1234-56789abcdef0"))
        #expect(
            detail
                == .uuid([
                    0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0,
                ]))
        let odd = ["12345678-9abc-def0-1234-56789abcdefg", "12345678+9abc-def0-1234-56789abcdef0", "x"]
        for text in odd { #expect(OutcomeDetail(of: .accepted(providerID: text)) == .text(text)) }
        let long = String(repeating: "é", count: 5000)
        #expect(OutcomeDetail(of: .failed(SendError(.internalError, long))) == .text(String(long.prefix(200))))
    }

    @Test func `a message id is accepted once`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (first, _) = try await recipients(store, project)
        let ids = try await store.accept(Sample.message(project, id: 7), recipients: [first.id])
        await #expect(throws: StoreError.self) {
            try await store.accept(Sample.message(project, id: 7, body: "other"), recipients: [first.id])
        }
        #expect(try store.pendingDeliveries(after: Self.start, limit: 10).map(\.id) == ids)
        #expect(try await store.accept(Sample.message(project, id: 8), recipients: []).isEmpty)
        #expect(try await store.accept(Sample.message(project, id: 9), recipients: [first.id]).count == 1)
    }

    @Test func `deliveries of an ended registration come up, and lost ones get their outcome`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (first, _) = try await recipients(store, project)
        let nobody = RegistrationID(value: 999_999)
        _ = try await store.accept(Sample.message(project, id: 1), recipients: [nobody, first.id])
        let damaged = try await store.accept(Sample.message(project, id: 2), recipients: [first.id])
        _ = try await store.writer.write { (context) throws(StoreError) in
            try context.connection.change("UPDATE messages SET content = ? WHERE id = 2", [UInt8]("{".utf8))
        }
        _ = try await store.accept(Sample.message(project, id: 3), recipients: [first.id])
        try await store.end(first.id, .unregisteredByAPNs, at: .testStart)
        let pending = try store.pendingDeliveries(after: Self.start, limit: 2)
        #expect(pending.map(\.message.id.value) == [1, 3])
        #expect(pending.allSatisfy { $0.recipient.ending == .unregisteredByAPNs })
        try await store.settle()
        #expect(try store.pendingCount() == 2)
        #expect(try store.pendingDeliveries(after: damaged[0], limit: 10).count == 1)
    }

    @Test func `events are pruned by age, counts are not`() async throws {
        let store = try directory.open(retention: 2)
        let project = try await Sample.project(store)
        let (first, _) = try await recipients(store, project)
        let message = Sample.message(project, id: 7)
        let ids = try await store.accept(message, recipients: Array(repeating: first.id, count: 6))
        for (place, id) in ids.enumerated() {
            let time = Timestamp.testStart.adding(seconds: Int64(place) * 86_400)
            store.finish([Sample.finished(id, of: message, registration: first.id, time: time)])
            try await store.settle()
        }
        _ = try await store.writer.write(needsSavepoint: false) { (context) throws(StoreError) in
            try context.pruneEvents()
        }
        #expect(try rows(store, "delivery_events") == 3)
        #expect(try rows(store, "delivery_counts") == 6)
    }

    @Test func `many senders at once are all accepted, in order of their ids`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (first, _) = try await recipients(store, project)
        let source = MessageIDSource(clock: SystemClock(), after: try store.largestMessageID())
        let ids = try await withThrowingTaskGroup(of: [DeliveryID].self) { group in
            for _ in 0..<32 {
                group.addTask {
                    var accepted: [DeliveryID] = []
                    for _ in 0..<20 {
                        let message = Sample.message(project, id: source.next().value)
                        let id = try await store.accept(message, recipients: [first.id])[0]
                        accepted.append(id)
                        if id.value.isMultiple(of: 2) {
                            store.finish([Sample.finished(id, of: message, registration: first.id)])
                        }
                    }
                    return accepted
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try await store.settle()
        #expect(Set(ids).count == 640)
        let odd = ids.sorted().filter { !$0.value.isMultiple(of: 2) }
        #expect(try store.pendingDeliveries(after: Self.start, limit: 1000).map(\.id) == odd)
    }

    private func recipients(_ store: SQLiteStore, _ project: Project) async throws -> (Registration, Registration) {
        let first = try await store.register(Sample.draft(project))
        let second = try await store.register(
            Sample.draft(project, fid: Sample.otherFID, address: Sample.address(2, .sandbox)))
        return (first, second)
    }

    private func rows(_ store: SQLiteStore, _ table: String) throws -> Int64 {
        try store.readers.read { (connection) throws(StoreError) in
            switch table {
            case "messages":
                try connection.integer(
                    "SELECT count(*) FROM messages WHERE id IN (SELECT message FROM deliveries)")
            case "delivery_events": try connection.integer("SELECT count(*) FROM delivery_events")
            default: try connection.integer("SELECT count(*) FROM delivery_counts")
            }
        }
    }
}
