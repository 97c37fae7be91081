import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Messages with a collapse key` {
    @Test(arguments: [false, true])
    func `the newest of a key takes the place of the older one, at the end`(isConnected: Bool) async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let first = try await scene.accept(for: recipient, key: "score", isConnected: isConnected)
        let between = try await scene.accept(for: recipient, isConnected: isConnected)
        let second = try await scene.accept(for: recipient, key: "score", isConnected: isConnected)
        #expect(try scene.entries().map(\.id) == [between.id, second.id])
        #expect(second.ended.map(\.id) == [first.id])
        #expect(second.ended.map(\.message) == [first.message.id])
        #expect(second.ended.allSatisfy { $0.outcome == .superseded && $0.project == scene.project.number })
        #expect(try scene.messages() == 2)
        #expect(try scene.count("SELECT count FROM delivery_counts WHERE outcome = 3") == 1)
    }

    @Test func `four keys wait for each app, and the oldest gives way to a fifth`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let neighbour = try await scene.register(bundle: "com.example.neighbour")
        let untouched = try await scene.accept(for: neighbour, key: "a")
        var ids: [String: DeliveryID] = [:]
        for key in ["a", "b", "c", "d", "a"] { ids[key] = try await scene.accept(for: recipient, key: key).id }
        let fifth = try await scene.accept(for: recipient, key: "e")
        // "a" was renewed: "b" is the oldest.
        #expect(fifth.ended.map(\.id) == [ids["b"]])
        let waiting = [untouched.id, ids["c"], ids["d"], ids["a"], fifth.id].compactMap { $0 }
        #expect(try scene.entries().map(\.id) == waiting)
    }

    @Test func `do not count among the hundred, nor are they dropped with them`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let keyed = try await scene.accept(for: recipient, key: "k")
        _ = try await scene.accept(100, for: recipient)
        #expect(try scene.entries().count == 101)
        let last = try await scene.accept(for: recipient)
        let entries = try scene.entries()
        #expect(entries.first?.id == keyed.id && entries.last?.id == last.id)
        #expect(entries.map(\.dropped) == [nil, 100, nil])
    }

    @Test func `one that is now or never takes no place when the device is away`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let kept = try await scene.accept(for: recipient, key: "k")
        let now = try await scene.accept(for: recipient, key: "k", lifetime: 0)
        #expect(now.ended.isEmpty)
        #expect(try scene.entries().map(\.id) == [kept.id, now.id])
        let connected = try await scene.accept(for: recipient, key: "k", isConnected: true, lifetime: 0)
        #expect(connected.ended.map(\.id) == [kept.id, now.id])
    }
}
