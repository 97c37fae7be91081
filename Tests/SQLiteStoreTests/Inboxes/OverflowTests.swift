import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `More messages than may wait` {
    @Test func `all are dropped when the hundred and first comes, and one note says how many`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let waiting = try await scene.accept(100, for: recipient)
        #expect(try scene.entries().map(\.id) == waiting)
        let last = try await scene.accept(for: recipient)
        #expect(last.ended.map(\.id) == waiting)
        #expect(last.ended.allSatisfy { $0.outcome == .discarded && $0.registration == recipient.id })
        let entries = try scene.entries()
        #expect(entries.map(\.dropped) == [100, nil])
        #expect(entries.last?.id == last.id)
        #expect(try scene.messages() == 1)
        #expect(try scene.count("SELECT count FROM delivery_counts WHERE outcome = 4") == 100)
    }

    @Test func `notes add up`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        _ = try await scene.accept(301, for: recipient)
        #expect(try scene.entries().compactMap(\.dropped) == [300])
        #expect(try scene.entries().count == 2)
    }

    @Test func `a note counts anew once the device has it`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        _ = try await scene.accept(101, for: recipient)
        let note = try #require(try scene.entries().first)
        let settled = try await scene.store.settle(
            [scene.settlement(ofNote: note.id, for: recipient)], of: InboxScene.device)
        #expect(settled == SettledInbox())
        #expect(try scene.entries().compactMap(\.dropped).isEmpty)
        _ = try await scene.accept(100, for: recipient)
        #expect(try scene.entries().compactMap(\.dropped) == [100])
    }

    @Test func `a connected device has no such limit, until it leaves`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let waiting = try await scene.accept(150, for: recipient, isConnected: true)
        #expect(try scene.entries().map(\.id) == waiting)
        let away = try await scene.accept(for: recipient)
        #expect(away.ended.count == 150)
        #expect(try scene.entries().map(\.dropped) == [150, nil])
    }

    @Test func `other apps and devices keep theirs`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let neighbour = try await scene.register(bundle: "com.example.neighbour")
        let stranger = try await scene.register(43)
        _ = try await scene.accept(99, for: neighbour)
        _ = try await scene.accept(99, for: stranger)
        _ = try await scene.accept(101, for: recipient)
        #expect(try scene.entries().count { $0.recipient == neighbour } == 99)
        #expect(try scene.entries(of: 43).count == 99)
        #expect(try scene.entries().compactMap(\.dropped) == [100])
    }

    @Test func `what has expired does not count`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        for _ in 0..<60 { try await scene.accept(for: recipient, lifetime: 10) }
        scene.clock.set(.testStart.adding(seconds: 10))
        let later = try await scene.accept(99, for: recipient)
        #expect(try scene.entries().count == 159)
        let last = try await scene.accept(for: recipient)
        #expect(last.ended.isEmpty)
        let more = try await scene.accept(for: recipient)
        #expect(more.ended.map(\.id) == later + [last.id])
    }

    @Test func `one that is now or never drops nothing`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let waiting = try await scene.accept(100, for: recipient)
        let now = try await scene.accept(for: recipient, lifetime: 0)
        #expect(now.ended.isEmpty)
        #expect(try scene.entries().map(\.id) == waiting + [now.id])
    }

    @Test func `a month away drops everything that still lives, with a note for each app`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let neighbour = try await scene.register(bundle: "com.example.neighbour")
        let stranger = try await scene.register(43)
        let expired = try await scene.accept(for: recipient, lifetime: 10)
        _ = try await scene.accept(3, for: recipient)
        try await scene.accept(for: neighbour, key: "k")
        let kept = try await scene.accept(for: stranger)
        scene.clock.set(.testStart.adding(seconds: 60))
        let ended = try await scene.store.discardInbox(of: InboxScene.device, at: scene.clock.now())
        #expect(ended.count { $0.outcome == .discarded } == 4)
        #expect(ended.filter { $0.outcome == .expired }.map(\.id) == [expired.id])
        let notes = try scene.entries()
        #expect(notes.map(\.dropped) == [3, 1])
        #expect(notes.map(\.recipient) == [recipient, neighbour])
        #expect(try scene.entries(of: 43).map(\.id) == [kept.id])
        #expect(try scene.messages() == 1)
        #expect(try await scene.store.discardInbox(of: InboxScene.device, at: scene.clock.now()).isEmpty)
        #expect(try scene.entries() == notes)
    }

    @Test func `members of a fan-out that were dropped or superseded count as over`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let message = scene.message()
        try await scene.store.acceptFanOut(message)
        let chunk = FanOutChunk(members: [recipient.id], cursor: recipient.id, isLast: true)
        let acceptance = try #require(
            try await scene.store.extendFanOut(message.id, by: chunk, deliveries: [scene.plan(recipient)]))
        #expect(try scene.entries().map(\.id) == acceptance.deliveries.map(\.id))
        #expect(try scene.store.progress(of: message.id)?.isDone == false)
        _ = try await scene.accept(100, for: recipient)
        let progress = try #require(try scene.store.progress(of: message.id))
        #expect(progress.isDone && progress.expired == 1 && progress.recipients == 1)
        #expect(try scene.count("SELECT count(*) FROM fan_outs WHERE is_done = 0") == 0)
    }
}
