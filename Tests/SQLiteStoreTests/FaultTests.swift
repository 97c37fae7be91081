import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Faults under the SQLite store` {
    let directory = TemporaryDirectory()

    @Test func `a full disk refuses everyone, loses nothing, and is forgotten when there is room`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        let waiting = Sample.message(project, id: 1)
        let ids = try await store.accept(waiting, recipients: [registration.id])
        try await limitPages(of: store, to: 1)
        let big = Sample.message(project, id: 2, body: String(repeating: "x", count: 500_000))
        await #expect(
            throws: StoreError.unavailable("The disk of the data directory is full. Make room; nothing else is needed.")
        ) {
            try await store.accept(big, recipients: [registration.id])
        }
        #expect(try store.pendingDeliveries(after: DeliveryID(value: 0), limit: 10).map(\.id) == ids)
        try await limitPages(of: store, to: 1_000_000)
        let next = try await store.accept(big, recipients: [registration.id])
        #expect(next.map(\.value) == [ids[0].value + 1])
        #expect(try store.pendingCount() == 2)
    }

    @Test func `outcomes that found no room are written later`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        let message = Sample.message(project, id: 1)
        let ids = try await store.accept(message, recipients: Array(repeating: registration.id, count: 2000))
        try await limitPages(of: store, to: 1)
        let long = SendError(.internalError, String(repeating: "e", count: 200))
        store.finish(
            ids.map { Sample.finished($0, of: message, registration: registration.id, outcome: .failed(long)) })
        await #expect(throws: StoreError.self) { try await store.settle() }
        #expect(try store.pendingCount() == 2000)
        try await limitPages(of: store, to: 1_000_000)
        try await store.settle()
        #expect(try store.pendingCount() == 0)
    }

    @Test func `a refused job leaves nothing of itself, and its neighbours stay`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        await #expect(throws: StoreError.notFound("on purpose")) {
            try await store.writer.write { (context) throws(StoreError) in
                _ = try context.register(Sample.draft(project))
                throw StoreError.notFound("on purpose")
            }
        }
        #expect(try store.registration(fid: Sample.fid, in: project.number) == nil)
        // The numbers of texts that were undone are not remembered.
        let registration = try await store.register(Sample.draft(project))
        #expect(try store.registration(registration.id)?.bundleID == Sample.bundle)
    }

    @Test func `trouble in one job undoes the whole transaction`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let (writer, draft) = (store.writer, Sample.draft(project))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<50 {
                group.addTask {
                    var draft = draft
                    draft.scope = "\(place)"
                    if place == 25 {
                        await #expect(throws: StoreError.unavailable("broken")) {
                            try await writer.write { _ throws(StoreError) in throw StoreError.unavailable("broken") }
                        }
                    } else if let registration = try? await store.register(draft) {
                        let stored = try store.registration(registration.id)
                        #expect(stored == registration)
                    }
                }
            }
            try await group.waitForAll()
        }
        let registration = try await store.register(draft)
        #expect(try store.registration(registration.id) == registration)
    }

    @Test func `more writes than the queue holds are refused`() async throws {
        let store = try directory.open(capacity: 1)
        let project = try await Sample.project(store)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for place in 0..<200 {
                var draft = Sample.draft(project)
                draft.scope = "\(place)"
                group.addTask { [draft] in (try? await store.register(draft)) != nil }
            }
            return await group.reduce(into: [true: 0, false: 0]) { $0[$1, default: 0] += 1 }
        }
        #expect((outcomes[true] ?? 0) > 0)
        #expect(try await store.register(Sample.draft(project)).bundleID == Sample.bundle)
    }

    @Test func `closing writes what waits and refuses what comes later`() async throws {
        let store = try directory.open(role: .server)
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        let message = Sample.message(project, id: 1)
        let ids = try await store.accept(message, recipients: [registration.id])
        store.finish([Sample.finished(ids[0], of: message, registration: registration.id)])
        store.close()
        store.close()
        await #expect(throws: StoreError.unavailable("The store is shutting down.")) {
            try await store.register(Sample.draft(project))
        }
        let reopened = try directory.open(role: .server)
        #expect(try reopened.pendingCount() == 0)
        #expect(try reopened.largestMessageID() == message.id)
    }

    private func limitPages(of store: SQLiteStore, to pages: Int) async throws {
        try await store.writer.write(needsSavepoint: false) { (context) throws(StoreError) in
            try context.connection.execute("PRAGMA max_page_count = \(pages)")
        }
    }
}
