import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Topics in SQLite` {
    let directory = TemporaryDirectory()
    static let news = TopicName("news")!
    static let sport = TopicName("sport")!

    @Test func `a subscription is there until it is taken back`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        let nobody = RegistrationID(value: 99)
        let time = Timestamp.testStart.adding(milliseconds: 400)
        let ids = [one.id, nobody, one.id]
        #expect(
            try await store.subscribe(ids, to: Self.news, in: project.number, at: time)
                == [.done, .unknownRegistration, .unchanged])
        #expect(try store.members(of: Self.news, in: project.number, after: nil, limit: 9) == [one.id])
        #expect(try store.memberCount(of: Self.news, in: project.number) == 1)
        let subscription = TopicSubscription(topic: Self.news, createdAt: .testStart)
        #expect(try store.subscription(of: one.id, to: Self.news) == subscription)
        #expect(try store.subscription(of: one.id, to: Self.sport) == nil)
        #expect(
            try store.topics(in: project.number, after: nil, limit: 9) == [TopicSummary(topic: Self.news, members: 1)])
        #expect(
            try await store.unsubscribe(ids, from: Self.news, in: project.number)
                == [.done, .unknownRegistration, .unchanged])
        #expect(try await store.unsubscribe([one.id], from: Self.sport, in: project.number) == [.unchanged])
        #expect(try isEmpty(store))
    }

    @Test func `of another project a registration is unknown`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let other = try await Sample.project(store, "demo-other")
        let one = try await store.register(Sample.draft(project))
        #expect(
            try await store.subscribe([one.id], to: Self.news, in: other.number, at: .testStart)
                == [.unknownRegistration])
        _ = try await store.subscribe([one.id], to: Self.news, in: project.number, at: .testStart)
        #expect(try store.members(of: Self.news, in: other.number, after: nil, limit: 9).isEmpty)
    }

    @Test func `two thousand topics are the limit`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        _ = try await store.writer.write { (context) throws(StoreError) in
            for number in 0..<TopicLimits.topicsPerRegistration {
                guard let topic = TopicName("t\(number)") else { continue }
                _ = try context.subscribe([one.id], to: topic, in: project.number, at: .testStart)
            }
        }
        #expect(
            try await store.subscribe([one.id], to: Self.news, in: project.number, at: .testStart) == [.tooManyTopics])
        #expect(try store.memberCount(of: Self.news, in: project.number) == 0)
        let page = try store.subscriptions(of: one.id, after: TopicName("t1998"), limit: 5)
        #expect(page.map(\.topic.text) == ["t1999", "t2", "t20", "t200", "t201"])
        #expect(try await store.leaveAllTopics(one.id) == 2000)
        #expect(try isEmpty(store))
    }

    enum End: CaseIterable, Sendable { case end, disowned, filter, installation, replaced }

    @Test(arguments: End.allCases) func `die with the registration`(end: End) async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        _ = try await store.subscribe([one.id], to: Self.news, in: project.number, at: .testStart)
        let address = try #require(Sample.address(1))
        switch end {
        case .end: try await store.end(one.id, .deletedByApp, at: .testStart)
        case .disowned:
            _ = try await store.endUnregistered(one.id, address: address, invalidAt: nil, at: .testStart)
        case .filter: _ = try await store.endRegistrations(.init(fid: Sample.fid), at: .testStart)
        case .installation:
            let fid = try #require(FirebaseInstallationID(Sample.fid))
            _ = try await store.deleteInstallation(fid, in: project.number, at: .testStart)
        case .replaced: _ = try await store.register(Sample.draft(project, fid: Sample.otherFID))
        }
        #expect(try isEmpty(store))
        let again = try await store.register(Sample.draft(project, address: Sample.address(9), nonce: 5))
        #expect(again.id == one.id)
        #expect(try store.subscriptions(of: one.id, after: nil, limit: 9).isEmpty)
    }

    @Test func `move along when the app registers in the other mode`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let classic = try await store.register(Sample.draft(project))
        _ = try await store.subscribe([classic.id], to: Self.news, in: project.number, at: .testStart)
        var draft = Sample.draft(project)
        (draft.isFIDMode, draft.sender, draft.subtype, draft.scope, draft.androidID) = (true, "", "", "", 0)
        let byFID = try await store.register(draft)
        #expect(byFID.id != classic.id)
        #expect(try store.members(of: Self.news, in: project.number, after: nil, limit: 9) == [byFID.id])
        #expect(try store.subscription(of: byFID.id, to: Self.news)?.createdAt == .testStart)
        #expect(try store.subscriptions(of: classic.id, after: nil, limit: 9).isEmpty)
        #expect(try store.memberCount(of: Self.news, in: project.number) == 1)
        // Another sender of the same app instance has topics of its own.
        var second = Sample.draft(project)
        second.sender = "210987654321"
        let other = try await store.register(second)
        #expect(try store.subscriptions(of: other.id, after: nil, limit: 9).isEmpty)
        #expect(try store.subscriptions(of: byFID.id, after: nil, limit: 9).count == 1)
    }

    @Test func `go with their project, rules and groups too`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        _ = try await store.subscribe([one.id], to: Self.news, in: project.number, at: .testStart)
        try await store.setTopicRules(
            TopicRules(denied: [try #require(TopicPattern("x"))]), of: project.number)
        _ = try await store.createGroup(named: "g", members: [one.id], in: project.number, at: .testStart)
        try await store.acceptFanOut(Sample.message(project, id: 5))
        try await store.deleteProject(project.number)
        #expect(try isEmpty(store))
        #expect(try store.topicRules(of: project.number) == TopicRules())
        #expect(try store.group(named: "g", in: project.number) == nil)
        #expect(try store.progress(of: MessageID(value: 5)) == nil)
    }

    @Test func `rules are kept in their order`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let patterns = ["b*", "a", "user-{fid}"].compactMap { TopicPattern($0) }
        let rules = TopicRules(allowed: patterns, denied: patterns.reversed())
        try await store.setTopicRules(rules, of: project.number)
        #expect(try store.topicRules(of: project.number) == rules)
        try await store.setTopicRules(TopicRules(), of: project.number)
        #expect(try store.topicRules(of: project.number) == TopicRules())
        await #expect(throws: StoreError.self) {
            try await store.setTopicRules(rules, of: ProjectNumber(value: 4))
        }
    }

    @Test func `damaged rows are told, and nothing is lost by trying`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let one = try await store.register(Sample.draft(project))
        _ = try await store.subscribe([one.id], to: Self.news, in: project.number, at: .testStart)
        _ = try await store.writer.write { (context) throws(StoreError) in
            try context.connection.change("UPDATE topic_chunks SET members = ?", [0x80] as [UInt8])
        }
        #expect(throws: StoreError.self) { try store.members(of: Self.news, in: project.number, after: nil, limit: 9) }
        await #expect(throws: StoreError.self) {
            try await store.unsubscribe([one.id], from: Self.news, in: project.number)
        }
        #expect(try store.subscription(of: one.id, to: Self.news) != nil)
    }

    /// Whether no trace of any membership is left.
    private func isEmpty(_ store: SQLiteStore) throws -> Bool {
        try store.readers.read { (connection) throws(StoreError) in
            try connection.integer(
                """
                SELECT (SELECT count(*) FROM topics) + (SELECT count(*) FROM topic_chunks)
                    + (SELECT count(*) FROM topic_lists) + (SELECT count(*) FROM topic_leavers)
                """) == 0
        }
    }
}
