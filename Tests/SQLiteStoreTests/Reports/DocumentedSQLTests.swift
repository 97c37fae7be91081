import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

/// The statements of docs/reports.md.
@Suite struct `Documented SQL` {
    @Test func `counts by app and day`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        let ids = try await scene.accept(message, for: [scene.phone])
        try await scene.end(ids[0], message, scene.phone)
        let rows = try scene.store.readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT date(c.day * 86400, 'unixepoch') AS day, t.text AS app,
                    sum(c.count) FILTER (WHERE c.measure = 1) AS targeted,
                    sum(c.count) FILTER (WHERE c.measure = 3) AS accepted,
                    sum(c.count) FILTER (WHERE c.measure > 100) AS failed
                FROM report_counts c LEFT JOIN texts t ON t.id = c.app
                WHERE c.calendar = 0 GROUP BY 1, 2 ORDER BY 1, 2
                """
            ) { [$0.text(0), $0.text(1), String($0.integer(2)), String($0.integer(3)), String($0.integer(4))] }
        }
        #expect(rows == [["2023-11-14", scene.phone.app?.text ?? "", "1", "1", "0"]])
    }

    @Test func `times a fan-out`() async throws {
        let scene = try await ReportScene()
        var message = scene.message()
        message.target = .topic(try #require(TopicName("news")))
        try await scene.store.acceptFanOut(message)
        let acceptance = try await scene.store.extendFanOut(
            message.id, by: FanOutChunk(members: [scene.phone.id], cursor: scene.phone.id, isLast: true),
            deliveries: [PlannedDelivery(registration: scene.phone.id)])
        let delivery = try #require(acceptance?.deliveries.first)
        scene.clock.set(Timestamp(milliseconds: message.id.value / 1000 + 2_500))
        try await scene.end(delivery.id, message, scene.phone)
        let rows = try scene.store.readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT e.message, (max(e.time) - e.message / 1000) / 1000.0 AS seconds, count(*) AS deliveries
                FROM delivery_events e WHERE e.message IN (SELECT message FROM message_ranges) GROUP BY e.message
                """
            ) { [$0.text(0), $0.text(1), $0.text(2)] }
        }
        #expect(rows == [[message.id.description, "2.5", "1"]])
    }

    @Test func `traces a message`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        let ids = try await scene.accept(message, for: [scene.phone])
        try await scene.end(ids[0], message, scene.phone)
        try await scene.report(.opened, message, scene.phone)
        let rows = try scene.store.readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT e.time, e.outcome, e.registration, e.detail FROM messages m
                JOIN delivery_events e ON e.id BETWEEN m.first_delivery AND m.last_delivery AND e.message = m.id
                WHERE m.id = ?1
                UNION ALL SELECT r.received_at, r.kind, r.instance, r.app FROM reported_events r
                WHERE r.message = CAST(?1 AS TEXT)
                """, message.id.value
            ) { $0.integer(1) }
        }
        #expect(rows == [1, 2])
    }
}
