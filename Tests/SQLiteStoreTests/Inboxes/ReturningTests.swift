import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `What may go to a gateway instead` {
    @Test func `goes there when its device leaves, under the same numbers`() async throws {
        let scene = try await InboxScene()
        let apple = try await scene.register(channel: .apple(Sample.address(1)))
        let android = try await scene.register(bundle: "com.example.android")
        let other = try await scene.register(43, channel: .apple(Sample.address(2)))
        let returning = try await scene.accept(for: apple, isConnected: true, mayReturn: true)
        let staying = try await scene.accept(for: android)
        let elsewhere = try await scene.accept(for: other, mayReturn: true)
        let second = try await scene.accept(for: apple, isConnected: true, mayReturn: true)
        let returned = try await scene.store.returnToGateway(device: InboxScene.device, registration: nil)
        #expect(returned.map(\.id) == [returning.id, second.id])
        #expect(returned.map(\.message) == [returning.message, second.message])
        #expect(returned.allSatisfy { $0.recipient == apple && $0.inbox == nil })
        #expect(try scene.store.pendingDeliveries(after: InboxScene.start, limit: 9) == returned)
        #expect(try scene.entries().map(\.id) == [staying.id])
        #expect(try scene.entries(of: 43).map(\.id) == [elsewhere.id])
        #expect(try await scene.store.returnToGateway(device: InboxScene.device, registration: nil).isEmpty)
        scene.store.finish(returned.map { Sample.finished($0.id, of: $0.message, registration: apple.id) })
        try await scene.store.settle()
        #expect(try scene.messages() == 2)
    }

    @Test func `goes there for one registration alone`() async throws {
        let scene = try await InboxScene()
        let one = try await scene.register(channel: .apple(nil))
        let two = try await scene.register(bundle: "com.example.two", channel: .apple(nil))
        let waiting = try await scene.accept(for: one, mayReturn: true)
        let returning = try await scene.accept(for: two, mayReturn: true)
        let returned = try await scene.store.returnToGateway(device: InboxScene.device, registration: two.id)
        #expect(returned.map(\.id) == [returning.id])
        #expect(try scene.entries().map(\.id) == [waiting.id])
    }

    @Test func `goes there at the start of a server, and only then`() async throws {
        let scene = try await InboxScene()
        let apple = try await scene.register(channel: .apple(Sample.address(1)))
        let android = try await scene.register(43)
        let returning = try await scene.accept(for: apple, isConnected: true, mayReturn: true)
        let staying = try await scene.accept(for: android)
        try scene.reopen(as: .administration)
        #expect(try scene.entries().map(\.id) == [returning.id])
        try scene.reopen(as: .server)
        #expect(try scene.entries().isEmpty)
        #expect(try scene.store.pendingDeliveries(after: InboxScene.start, limit: 9).map(\.id) == [returning.id])
        #expect(try scene.entries(of: 43).map(\.id) == [staying.id])
    }

    @Test func `an acknowledgement that comes after it left the inbox does nothing`() async throws {
        let scene = try await InboxScene()
        let apple = try await scene.register(channel: .apple(Sample.address(1)))
        let returning = try await scene.accept(for: apple, isConnected: true, mayReturn: true)
        _ = try await scene.store.returnToGateway(device: InboxScene.device, registration: nil)
        let settled = try await scene.store.settle(
            [scene.settlement(returning.id, of: returning.message, for: apple)], of: InboxScene.device)
        #expect(settled == SettledInbox())
        #expect(try scene.store.pendingCount() == 1)
    }

    @Test func `does not return a fan-out twice into its count`() async throws {
        let scene = try await InboxScene()
        let apple = try await scene.register(channel: .apple(Sample.address(1)))
        let message = scene.message()
        try await scene.store.acceptFanOut(message)
        let chunk = FanOutChunk(members: [apple.id], cursor: apple.id, isLast: true)
        _ = try await scene.store.extendFanOut(
            message.id, by: chunk, deliveries: [scene.plan(apple, isConnected: true, mayReturn: true)])
        let returned = try await scene.store.returnToGateway(device: InboxScene.device, registration: nil)
        scene.store.finish(returned.map { Sample.finished($0.id, of: message, registration: apple.id) })
        try await scene.store.settle()
        let progress = try #require(try scene.store.progress(of: message.id))
        #expect(progress.isDone && progress.accepted == 1 && progress.recipients == 1)
    }
}
