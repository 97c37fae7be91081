import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SendAPI

@Suite struct `Sending to a list of tokens` {
    static let message = Message(notification: .init(title: "A"))
    static let otherFID = "fSNFZ4mrze8BI0VniavN7w"

    @Test func `gives each token its result, and each device the message once`() async throws {
        let world = SendWorld()
        let tokens = [
            world.token(1), "nonsense", world.token(1), world.token(2, fid: "dSNFZ4mrze8BI0VniavN7w"),
            world.token(3, fid: "eSNFZ4mrze8BI0VniavN7w", project: SendWorld.otherProject), SendWorld.fid,
        ]
        let receipt = try await world.pipeline.sendEach(Self.message, to: tokens, in: SendWorld.project)
        #expect(receipt.id != nil)
        #expect(receipt.results.map(\.token) == tokens)
        #expect(
            receipt.results.map { $0.error?.kind }
                == [nil, .malformedToken, nil, .unregistered, .senderIDMismatch, nil])
        #expect(receipt.results.map { $0.registration?.value } == [1, nil, 1, nil, nil, 1])
        #expect(world.platform.submitted.map(\.recipient.id.value) == [1])
        #expect(world.store.accepted.count == 1)
    }

    @Test func `tells what the platform refused in time`() async throws {
        let world = SendWorld(outcome: .failed(.unregistered))
        let receipt = try await world.pipeline.sendEach(Self.message, to: [world.token(1)], in: SendWorld.project)
        #expect(receipt.results.map { $0.error?.kind } == [.unregistered])
        let silent = SendWorld(outcome: nil)
        let other = try await silent.pipeline.sendEach(Self.message, to: [silent.token(1)], in: SendWorld.project)
        #expect(other.results.map(\.error) == [nil])
    }

    @Test func `stores nothing when there is nobody, or only validation`() async throws {
        let world = SendWorld()
        let nobody = try await world.pipeline.sendEach(Self.message, to: ["x"], in: SendWorld.project)
        #expect(nobody.id == nil && nobody.results.map { $0.error?.kind } == [.malformedToken])
        let dry = try await world.pipeline.sendEach(
            Self.message, to: [world.token(1)], in: SendWorld.project, validateOnly: true)
        #expect(dry.id == nil && dry.results.map(\.error) == [nil])
        #expect(world.store.accepted.isEmpty)
    }

    @Test func `fails as a whole for what is wrong with the message or the list`() async throws {
        let world = SendWorld(messagesPerMinute: 1)
        await #expect(throws: SendError.self) {
            try await world.pipeline.sendEach(
                Message(data: [.init(key: "from", value: "x")]), to: [world.token(1)], in: SendWorld.project)
        }
        for count in [0, 1_001] {
            await #expect(throws: SendError.recipientMissing) {
                try await world.pipeline.sendEach(
                    Self.message, to: Array(repeating: world.token(1), count: count), in: SendWorld.project)
            }
        }
        _ = try await world.pipeline.sendEach(Self.message, to: [world.token(1)], in: SendWorld.project)
        await #expect(throws: SendError.self) {
            try await world.pipeline.sendEach(Self.message, to: [world.token(1)], in: SendWorld.project)
        }
        #expect(world.store.accepted.count == 1)
    }
}
