import PropertyTesting
import PushCore
import PushModel
import Testing

@testable import SQLiteStore

@Suite struct `Many deliveries of one message` {
    private struct Step {
        var place: Int
        var key: String?
        var isConnected: Bool
        var lifetime: Int64
    }

    private static func steps(_ random: inout some RandomNumberGenerator) -> [Step] {
        var steps = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            Step(
                place: Int.random(in: 0..<24, using: &random),
                key: [nil, nil, nil, "a", "b"].randomElement(using: &random) ?? nil,
                isConnected: Bool.random(using: &random),
                lifetime: [0, 3_600, 3_600].randomElement(using: &random) ?? 0)
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: steps.sort { $0.place < $1.place }
        case 1: steps.sort { $0.place > $1.place }
        default: break
        }
        return steps
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `fill inboxes as one after the other does`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (together, apart) = (try await InboxScene(), try await InboxScene())
        var recipients: [(Registration, Registration)] = []
        for device in 0..<24 {
            recipients.append(
                (try await together.register(UInt64(40 + device)), try await apart.register(UInt64(40 + device))))
        }
        for _ in 0..<20 {
            let steps = Self.steps(&random)
            let planned = steps.map { step in
                together.plan(
                    recipients[step.place].0, key: step.key, isConnected: step.isConnected, lifetime: step.lifetime)
            }
            let all = try await together.store.accept(together.message(), deliveries: planned)
            var each = Acceptance(deliveries: [])
            for step in steps {
                let plan = apart.plan(
                    recipients[step.place].1, key: step.key, isConnected: step.isConnected, lifetime: step.lifetime)
                let one = try await apart.store.accept(apart.message(), deliveries: [plan])
                each.deliveries += one.deliveries
                each.ended += one.ended
            }
            #expect(all.deliveries == each.deliveries)
            #expect(all.ended.map(\.id) == each.ended.map(\.id))
            #expect(all.ended.map(\.outcome) == each.ended.map(\.outcome))
        }
        for device in 0..<24 {
            let rows = try (together.entries(of: UInt64(40 + device)), apart.entries(of: UInt64(40 + device)))
            #expect(rows.0.map(\.id) == rows.1.map(\.id))
            #expect(rows.0.map(\.dropped) == rows.1.map(\.dropped))
            #expect(rows.0.map(\.expiresAt) == rows.1.map(\.expiresAt))
            #expect(rows.0.map(\.recipient.id) == rows.1.map(\.recipient.id))
        }
        #expect(
            try together.count("SELECT count(*) FROM delivery_events")
                == apart.count("SELECT count(*) FROM delivery_events"))
    }

    @Test func `leave the message while one of them waits`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let planned = (0..<3).map { _ in scene.plan(recipient, key: "k") }
        let acceptance = try await scene.store.accept(scene.message(), deliveries: planned)
        #expect(acceptance.ended.map(\.outcome) == [.superseded, .superseded])
        #expect(try scene.entries().map(\.id) == [acceptance.deliveries[2].id])
    }

    @Test func `are counted among what waits for a device that is away`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let planned = (0..<101).map { _ in scene.plan(recipient) }
        let acceptance = try await scene.store.accept(scene.message(), deliveries: planned)
        #expect(acceptance.ended.count == 100)
        #expect(try scene.entries().map(\.dropped) == [100, nil])
    }
}

@Suite struct `A table of statements` {
    @Test func `finds each by its address`() {
        let texts = UnsafeMutablePointer<UInt8>.allocate(capacity: 3_000)
        defer { texts.deallocate() }
        var table = StatementTable()
        for place in 0..<1_000 { table[texts + 3 * place] = OpaquePointer(bitPattern: place + 1) }
        for place in 0..<1_000 {
            #expect(table[texts + 3 * place] == OpaquePointer(bitPattern: place + 1))
            #expect(table[texts + 3 * place + 1] == nil)
        }
        #expect(table.all.count == 1_000)
    }
}
