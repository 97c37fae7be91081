import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `How far messages to named recipients are` {
    let directory = TemporaryDirectory()
    static let id: Int64 = 1_700_000_000_000_001

    private func world() async throws -> (SQLiteStore, Project, Registration) {
        let store = try directory.open()
        let project = try await Sample.project(store)
        return (store, project, try await store.register(Sample.draft(project)))
    }

    @Test func `is told from the acceptance on, and after the last outcome`() async throws {
        let (store, project, one) = try await world()
        let message = Sample.message(project, id: Self.id)
        #expect(try store.progress(of: message.id) == nil)
        let ids = try await store.accept(message, recipients: Array(repeating: one.id, count: 4))
        var progress = MessageProgress(message: message.id, project: project.number, recipients: 4, isSplit: true)
        #expect(try store.progress(of: message.id) == progress)
        let gone = DeliveryOutcome.failed(SendError(.unregistered, "gone"))
        let outcomes: [DeliveryOutcome] = [.accepted(providerID: "a"), gone, .expired, .accepted(providerID: "b")]
        for (number, outcome) in outcomes.enumerated() {
            #expect(try store.progress(of: message.id)?.isDone == false)
            store.finish([Sample.finished(ids[number], of: message, registration: one.id, outcome: outcome)])
            try await store.settle()
            switch outcome {
            case .accepted: progress.accepted += 1
            case .failed: progress.failed += 1
            case .expired, .superseded, .discarded: progress.expired += 1
            }
            #expect(try store.progress(of: message.id) == progress)
        }
        #expect(try store.progress(of: message.id)?.isDone == true)
    }

    @Test func `is not mixed up with the neighbours`() async throws {
        let (store, project, one) = try await world()
        let messages = (0..<3).map { Sample.message(project, id: Self.id + $0) }
        for message in messages {
            let ids = try await store.accept(message, recipients: [one.id, one.id])
            store.finish(ids.map { Sample.finished($0, of: message, registration: one.id) })
        }
        try await store.settle()
        for message in messages {
            let progress = try #require(try store.progress(of: message.id))
            #expect(progress.accepted == 2 && progress.recipients == 2 && progress.isDone)
        }
    }

    @Test func `is told of as many recipients as one message may have`() async throws {
        let (store, project, one) = try await world()
        let count = SendPipeline.maximumMulticastTokens
        let message = Sample.message(project, id: Self.id)
        let ids = try await store.accept(message, recipients: Array(repeating: one.id, count: count))
        store.finish(ids.map { Sample.finished($0, of: message, registration: one.id) })
        try await store.settle()
        #expect(try store.progress(of: message.id)?.recipients == count)
    }

    @Test func `is forgotten when many others are newer`() async throws {
        let (store, project, one) = try await world()
        let message = Sample.message(project, id: Self.id)
        let delivery = try await store.accept(message, recipients: [one.id])[0]
        store.finish([Sample.finished(delivery, of: message, registration: one.id)])
        // As if its row had been pruned.
        _ = try await store.writer.write { (context) throws(StoreError) in
            try context.connection.change("DELETE FROM messages")
        }
        for (distance, isKnown) in [(9_999, true), (10_000, false)] as [(Int64, Bool)] {
            // As if so many deliveries had ended since.
            _ = try await store.writer.write { (context) throws(StoreError) in
                try context.connection.change(
                    """
                    INSERT INTO delivery_events (id, message, project, registration, outcome, time)
                    VALUES (?, ?, ?, 1, 1, ?)
                    """, delivery.value + distance, Self.id + distance, project.number.value,
                    Timestamp.testStart.milliseconds)
            }
            #expect((try store.progress(of: message.id) != nil) == isKnown)
        }
    }
}
