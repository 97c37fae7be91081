import PropertyTesting
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

/// Random changes of memberships, held against sets.
@Suite struct `Memberships after any sequence of changes` {
    private static let topics = ["a", "b", "c"].map { TopicName($0)! }

    let directory = TemporaryDirectory()

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `are the same from both sides`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try directory.open()
        let project = try await Sample.project(store)
        let ids = try await registrations(3_000, in: project, store)
        var model: [TopicName: Set<RegistrationID>] = [:]
        for _ in 0..<60 {
            let topic = Self.topics.randomElement(using: &random) ?? Self.topics[0]
            let some = Self.some(of: ids, &random)
            if Int.random(in: 0..<5, using: &random) == 0, let one = ids.randomElement(using: &random) {
                let count = try await store.leaveAllTopics(one)
                #expect(count == model.values.count { $0.contains(one) })
                for topic in Self.topics { model[topic]?.remove(one) }
            } else if Int.random(in: 0..<3, using: &random) > 0 {
                let changes = try await store.subscribe(some, to: topic, in: project.number, at: .testStart)
                #expect(changes == some.map { model[topic]?.contains($0) == true ? .unchanged : .done })
                model[topic, default: []].formUnion(some)
            } else {
                let changes = try await store.unsubscribe(some, from: topic, in: project.number)
                #expect(changes == some.map { model[topic]?.contains($0) == true ? .done : .unchanged })
                model[topic]?.subtract(some)
            }
        }
        try check(store, project, ids, model, &random)
    }

    private func check(
        _ store: SQLiteStore, _ project: Project, _ ids: [RegistrationID],
        _ model: [TopicName: Set<RegistrationID>], _ random: inout SeededGenerator
    ) throws {
        for topic in Self.topics {
            let expected = (model[topic] ?? []).sorted()
            #expect(try store.memberCount(of: topic, in: project.number) == expected.count)
            var found: [RegistrationID] = []
            while true {
                let limit = Int.random(in: 1...400, using: &random)
                let page = try store.members(of: topic, in: project.number, after: found.last, limit: limit)
                found += page
                if page.count < limit { break }
            }
            #expect(found == expected)
        }
        for id in ids.prefix(200) {
            let topics = try store.subscriptions(of: id, after: nil, limit: 9).map(\.topic)
            #expect(topics == Self.topics.filter { model[$0]?.contains(id) == true })
        }
    }

    private static func some(of ids: [RegistrationID], _ random: inout SeededGenerator) -> [RegistrationID] {
        let count = [1, 5, 300, 1_000].randomElement(using: &random) ?? 1
        if Bool.random(using: &random) {
            let start = Int.random(in: 0..<ids.count, using: &random)
            return Array(ids[start...].prefix(count))
        }
        return Array(ids.shuffled(using: &random).prefix(count))
    }

    private func registrations(
        _ count: Int, in project: Project, _ store: SQLiteStore
    ) async throws -> [RegistrationID] {
        try await store.writer.write { (context) throws(StoreError) in
            try (0..<count).map { (number) throws(StoreError) in
                let fid = "c" + String(String(number + 1_000_000).reversed()) + "AAAAAAAAAAAAAA"
                return try context.register(Sample.draft(project, fid: fid, address: nil)).id
            }
        }
    }
}
