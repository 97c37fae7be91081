import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Settling entries of an inbox` {
    @Test func `takes them out once, with their event and their count`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let one = try await scene.accept(for: recipient)
        let two = try await scene.accept(for: recipient)
        let settlement = scene.settlement(one.id, of: one.message, for: recipient)
        let settled = try await scene.store.settle([settlement, settlement], of: InboxScene.device)
        #expect(settled == SettledInbox(ended: [settlement.finished]))
        #expect(try await scene.store.settle([settlement], of: InboxScene.device) == SettledInbox())
        #expect(try scene.entries().map(\.id) == [two.id])
        #expect(try scene.count("SELECT count FROM delivery_counts WHERE outcome = 1") == 1)
        #expect(try scene.count("SELECT count(*) FROM delivery_events WHERE detail IS NULL") == 1)
        #expect(try scene.messages() == 1)
    }

    @Test func `of another device does nothing`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let one = try await scene.accept(for: recipient)
        _ = try await scene.accept(100, for: recipient)
        let note = try #require(try scene.entries().first)
        let settled = try await scene.store.settle(
            [
                scene.settlement(one.id, of: one.message, for: recipient, receipt: scene.receipt()),
                scene.settlement(ofNote: note.id, for: recipient),
            ], of: 43)
        #expect(settled == SettledInbox())
        #expect(try scene.entries().map(\.dropped) == [100, nil])
        #expect(try scene.store.openUpstream(of: scene.project.number, after: .first, limit: 9).isEmpty)
    }

    @Test func `never takes out what a gateway is to deliver`() async throws {
        let scene = try await InboxScene()
        let apple = try await scene.register(channel: .apple(Sample.address(1)))
        let message = scene.message()
        let ids = try await scene.store.accept(message, recipients: [apple.id])
        let settled = try await scene.store.settle(
            [scene.settlement(ids[0], of: message, for: apple)], of: InboxScene.device)
        #expect(settled == SettledInbox())
        #expect(try scene.store.pendingCount() == 1)
    }

    @Test func `a receipt is stored exactly once, together with the acknowledgement`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let one = try await scene.accept(for: recipient)
        let two = try await scene.accept(for: recipient)
        let first = scene.settlement(one.id, of: one.message, for: recipient, receipt: scene.receipt("dr2:one"))
        let second = scene.settlement(two.id, of: two.message, for: recipient, receipt: scene.receipt("dr2:two"))
        let settled = try await scene.store.settle([first, second, first], of: InboxScene.device)
        #expect(settled.receipts.map(\.content.messageID) == ["dr2:one", "dr2:two"])
        #expect(try await scene.store.settle([first, second], of: InboxScene.device).receipts.isEmpty)
        try scene.reopen()
        let open = try scene.store.openUpstream(of: scene.project.number, after: .first, limit: 9)
        #expect(open.map(\.id) == settled.receipts.map(\.id))
        #expect(open.map(\.content) == settled.receipts.map(\.content))
        #expect(try scene.entries().isEmpty)
    }

    @Test func `what a device acknowledged never comes again, not even after a start`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let one = try await scene.accept(for: recipient)
        let two = try await scene.accept(for: recipient)
        _ = try await scene.store.settle(
            [scene.settlement(one.id, of: one.message, for: recipient)], of: InboxScene.device)
        try scene.reopen(as: .server)
        #expect(try scene.entries().map(\.id) == [two.id])
    }

    @Test func `members of a fan-out are counted, and its content goes with the last`() async throws {
        let scene = try await InboxScene()
        let phone = try await scene.register()
        let tablet = try await scene.register(43)
        let apple = try await scene.register(44, channel: .apple(Sample.address(9)))
        let message = scene.message()
        try await scene.store.acceptFanOut(message)
        let members = [phone.id, tablet.id, apple.id]
        let planned = [scene.plan(phone), scene.plan(tablet), PlannedDelivery(registration: apple.id)]
        let ids = try #require(
            try await scene.store.extendFanOut(
                message.id, by: FanOutChunk(members: members, cursor: apple.id, isLast: true), deliveries: planned)
        ).deliveries.map(\.id)
        let first = scene.settlement(ids[0], of: message, for: phone)
        for _ in 0..<2 { _ = try await scene.store.settle([first], of: InboxScene.device) }
        _ = try await scene.store.settle(
            [scene.settlement(ids[1], of: message, for: tablet, outcome: .failed(SendError(.unregistered, "gone")))],
            of: 43)
        #expect(try scene.store.progress(of: message.id)?.isDone == false)
        #expect(try scene.messages() == 1)
        scene.store.finish([Sample.finished(ids[2], of: message, registration: apple.id, outcome: .expired)])
        try await scene.store.settle()
        let progress = try #require(try scene.store.progress(of: message.id))
        #expect(progress.isDone && progress.accepted == 1 && progress.failed == 1 && progress.expired == 1)
        #expect(try scene.messages() == 0)
    }
}

extension UpstreamID {
    static let first = UpstreamID(value: 0)
}
