import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `A fan-out whose process ends in the middle` {
    static let members = 2_300
    static let topic = TopicName("everyone")!

    let directory = TemporaryDirectory()

    /// Chunks are committed with their cursor, so neither a lost answer nor a lost process makes or loses a delivery.
    @Test func `gives every member one delivery in the end`() async throws {
        var store = try directory.open()
        let project = try await Sample.project(store)
        let ids = try await register(in: project, store)
        for part in [ids.prefix(1_000), ids.dropFirst(1_000)] {
            _ = try await store.subscribe(Array(part), to: Self.topic, in: project.number, at: .testStart)
        }
        var message = Sample.message(project, id: 7)
        message.target = .topic(Self.topic)
        try await store.acceptFanOut(message)
        var rounds = 0
        while try store.openFanOuts().isEmpty == false {
            let swallower = Swallower(limit: 1)
            let fanOut = Self.fanOut(store, swallower)
            try fanOut.resume()
            await swallower.waitForChunks(1)
            await fanOut.drain()
            store.close()
            store = try directory.open()
            rounds += 1
            #expect(rounds <= Self.members)
        }
        #expect(rounds > 1)
        let pending = try store.pendingDeliveries(after: DeliveryID(value: 0), limit: .max)
        #expect(pending.map(\.recipient.id) == ids)
        let progress = try #require(try store.progress(of: message.id))
        #expect(progress.isSplit && progress.recipients == Self.members && !progress.isDone)
    }

    private static func fanOut(_ store: SQLiteStore, _ deliveries: Swallower) -> FanOut {
        var configuration = FanOutConfiguration()
        configuration.membersPerChunk = 400
        return FanOut(
            store: store, topics: store, deliveries: deliveries, delays: NoDelays(), clock: ManualClock(.testStart),
            configuration: configuration)
    }

    private func register(in project: Project, _ store: SQLiteStore) async throws -> [RegistrationID] {
        try await store.writer.write { (context) throws(StoreError) in
            try (0..<Self.members).map { (number) throws(StoreError) in
                let fid = "c" + String(String(number + 1_000_000).reversed()) + "AAAAAAAAAAAAAA"
                return try context.register(Sample.draft(project, fid: fid, address: nil)).id
            }
        }
    }
}

private struct NoDelays: DelayScheduler {
    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {}
}

/// Takes deliveries and never answers.
private final class Swallower: DeliverySubmission {
    private struct State {
        var chunks = 0
        var waiter: CheckedContinuation<Void, Never>?
        var wanted = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    func hasRoomForFanOut(of project: ProjectNumber) -> Bool { state.withLock { $0.chunks < limit } }

    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {
        let waiter = state.withLock { state in
            state.chunks += 1
            guard state.chunks >= state.wanted else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    func waitForChunks(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                state.wanted = count
                if state.chunks < count { state.waiter = continuation }
                return state.chunks >= count
            }
            if isThere { continuation.resume() }
        }
    }
}
