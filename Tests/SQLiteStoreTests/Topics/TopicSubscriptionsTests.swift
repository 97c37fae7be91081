import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Subscribing by token` {
    let directory = TemporaryDirectory()
    static let tokens = RegistrationTokenCodec(sealing: .weak)
    static let news = TopicName("news")!

    private let clock = ManualClock(.testStart)

    private func doors(_ store: SQLiteStore, changesPerSecond: Int? = nil) -> TopicSubscriptions {
        TopicSubscriptions(
            store: store, registrations: RegistrationLookup(registrations: store, tokens: Self.tokens),
            clock: clock, quota: changesPerSecond.map { TopicChangeQuota(changesPerSecond: $0, clock: clock) })
    }

    @Test func `answers each token in its place`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let other = try await Sample.project(store, "demo-other")
        let one = try await store.register(Sample.draft(project))
        let dead = try await store.register(
            Sample.draft(project, fid: Sample.otherFID, address: Sample.address(2)))
        let foreign = try await store.register(
            Sample.draft(other, fid: "eAAAAAAAAAAAAAAAAAAAAA", address: Sample.address(3)))
        try await store.end(dead.id, .deletedByApp, at: .testStart)
        let topics = doors(store)
        let names =
            [one, dead, foreign].map { Self.tokens.token(of: $0) } + ["nonsense", Sample.fid, "fAAAAAAAAAAAAAAAAAAAAA"]
        let answers = try await topics.subscribe(tokens: names, to: Self.news, in: project.number)
        #expect(
            answers == [
                .success(true), .failure(.unknownRegistration), .failure(.senderIDMismatch),
                .failure(.malformedToken), .success(false), .failure(.malformedToken),
            ])
        #expect(try store.memberCount(of: Self.news, in: project.number) == 1)
        let left = try await topics.unsubscribe(tokens: [names[3], names[0]], from: Self.news, in: project.number)
        #expect(left == [.failure(.malformedToken), .success(true)])
        #expect(try await topics.subscribe(tokens: ["x"], to: Self.news, in: project.number).count == 1)
        #expect(try await topics.subscribe(tokens: [], to: Self.news, in: project.number).isEmpty)
    }

    @Test func `rules bind apps and not app servers`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        let pattern = try #require(TopicPattern("own-{fid}"))
        try await store.setTopicRules(TopicRules(allowed: [pattern]), of: project.number)
        let topics = doors(store)
        let own = try #require(TopicName("own-" + Sample.fid))
        await #expect(throws: TopicError.denied) { try await topics.subscribe(one, to: Self.news, by: .app) }
        #expect(try await topics.subscribe(one, to: own, by: .app))
        #expect(try await topics.subscribe(one, to: Self.news, by: .appServer))
        #expect(try await topics.subscribe(one, to: Self.news, by: .appServer) == false)
        #expect(try topics.subscriptions(of: one, limit: 9).map(\.topic) == [Self.news, own])
        #expect(try await topics.unsubscribe(one, from: Self.news))
        #expect(try topics.subscription(of: one, to: Self.news) == nil)
        #expect(try await topics.leaveAll(one) == 1)
    }

    @Test func `a project changes no more per second than it may`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let other = try await Sample.project(store, "demo-other")
        let one = try await store.register(Sample.draft(project))
        let foreign = try await store.register(
            Sample.draft(other, fid: Sample.otherFID, address: Sample.address(2)))
        let topics = doors(store, changesPerSecond: 10)
        let token = Self.tokens.token(of: one)
        // Each token counts, known or not, and so does a change that changes nothing.
        let batch = [token, "nonsense", "nonsense", "nonsense", "nonsense", "nonsense", "nonsense"]
        #expect(try await topics.subscribe(tokens: batch, to: Self.news, in: project.number)[0] == .success(true))
        #expect(try await topics.subscribe(one, to: Self.news, by: .appServer) == false)
        #expect(try await topics.unsubscribe(tokens: [token], from: Self.news, in: project.number) == [.success(true)])
        #expect(try await topics.unsubscribe(one, from: Self.news) == false)
        await #expect(throws: TopicError.changeRateExceeded) {
            try await topics.subscribe(tokens: [token], to: Self.news, in: project.number)
        }
        await #expect(throws: TopicError.changeRateExceeded) {
            try await topics.unsubscribe(tokens: [token], from: Self.news, in: project.number)
        }
        await #expect(throws: TopicError.changeRateExceeded) {
            try await topics.subscribe(one, to: Self.news, by: .app)
        }
        await #expect(throws: TopicError.changeRateExceeded) { try await topics.unsubscribe(one, from: Self.news) }
        await #expect(throws: TopicError.changeRateExceeded) { try await topics.leaveAll(one) }
        #expect(try store.memberCount(of: Self.news, in: project.number) == 0)
        #expect(try topics.subscriptions(of: one, limit: 9).isEmpty)
        #expect(try await topics.subscribe(foreign, to: Self.news, by: .app))
        clock.set(clock.now().adding(milliseconds: 100))
        #expect(try await topics.subscribe(one, to: Self.news, by: .app))
        await #expect(throws: TopicError.changeRateExceeded) { try await topics.leaveAll(one) }
        clock.set(clock.now().adding(milliseconds: 100))
        #expect(try await topics.leaveAll(one) == 1)
    }

    @Test func `what the rules refuse is no change`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        try await store.setTopicRules(TopicRules(denied: [try #require(TopicPattern("staff"))]), of: project.number)
        let topics = doors(store, changesPerSecond: 1)
        let staff = try #require(TopicName("staff"))
        for _ in 0..<3 {
            await #expect(throws: TopicError.denied) { try await topics.subscribe(one, to: staff, by: .app) }
        }
        #expect(try await topics.subscribe(one, to: Self.news, by: .app))
    }

    @Test func `a store that is closed is unavailable`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        store.close()
        let topics = doors(store)
        await #expect(throws: TopicError.unavailable) { try await topics.subscribe(one, to: Self.news, by: .appServer) }
        await #expect(throws: TopicError.unavailable) { try await topics.leaveAll(one) }
        let token = Self.tokens.token(of: one)
        await #expect(throws: TopicError.unavailable) {
            try await topics.subscribe(tokens: [token], to: Self.news, in: project.number)
        }
    }
}
