import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Sweeping inboxes` {
    @Test func `takes out what expired, a piece at a time, and leaves the rest`() async throws {
        let scene = try await InboxScene()
        var kept: [DeliveryID] = []
        var gone: [DeliveryID] = []
        for device in 1...3 as ClosedRange<UInt64> {
            let recipient = try await scene.register(device)
            gone.append(try await scene.accept(for: recipient, lifetime: 10).id)
            kept.append(try await scene.accept(for: recipient, key: "k", lifetime: 11).id)
        }
        var ended: [FinishedDelivery] = []
        var place: DeliveryID? = InboxScene.start
        var steps = 0
        while let current = place {
            let swept = try await scene.store.sweepInboxes(
                after: current, rows: 2, at: .testStart.adding(seconds: 10))
            ended += swept.ended
            place = swept.next
            steps += 1
        }
        #expect(steps == 4)
        #expect(ended.map(\.id) == gone)
        #expect(ended.allSatisfy { $0.outcome == .expired && $0.project == scene.project.number })
        #expect(try (1...3).flatMap { try scene.entries(of: $0) }.map(\.id) == kept)
        #expect(try scene.messages() == 3)
    }

    @Test func `a note waits for as long as a registration may be silent`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        _ = try await scene.accept(101, for: recipient)
        let month = try await scene.store.sweepInboxes(
            after: InboxScene.start, rows: 500, at: .testStart.adding(seconds: 40 * 86_400))
        #expect(month.ended.count == 1)
        #expect(try scene.entries().map(\.dropped) == [100])
        let years = try await scene.store.sweepInboxes(
            after: InboxScene.start, rows: 500, at: .testStart.adding(seconds: 800 * 86_400))
        #expect(years.ended.isEmpty && years.next == nil)
        #expect(try scene.entries().isEmpty)
    }

    @Test func `an empty store has nothing to go on with`() async throws {
        let scene = try await InboxScene()
        let swept = try await scene.store.sweepInboxes(after: InboxScene.start, rows: 10, at: .testStart)
        #expect(swept.ended.isEmpty && swept.next == nil)
    }
}
