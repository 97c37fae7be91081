import PropertyTesting
import PushModel
import Testing

@testable import PushCore

@Suite struct `Finding whom a condition means` {
    static let names = ["a", "b", "c", "d", "e"].map { TopicName($0)! }
    static let project = ProjectNumber(value: 1)

    /// Against the definition: everybody for whom the condition holds.
    @Test(arguments: 1...150 as ClosedRange<UInt64>)
    func `gives the same as asking everybody, each once and in order`(seed: UInt64) throws {
        var random = PropertyTesting.SeededGenerator(seed: seed)
        let table = TabledMemberships()
        let live = Self.ids(&random, below: 4_000)
        table.setLive(live)
        var topicsOfMember: [Int64: Set<TopicName>] = [:]
        for name in Self.names {
            let members = Self.ids(&random, below: 4_000).intersection(live)
            table.set(members, of: name)
            for member in members { topicsOfMember[member, default: []].insert(name) }
        }
        let condition = Self.condition(&random, depth: 3)
        let meant = live.filter { condition.holds(in: topicsOfMember[$0] ?? []) }.sorted()
        #expect(try Self.read(.condition(condition), table, &random) == meant, "\(condition)")
    }

    private static func ids(_ random: inout PropertyTesting.SeededGenerator, below end: Int64) -> Set<Int64> {
        let count = [0, 1, 30, 600, 2_500].randomElement(using: &random) ?? 0
        return Set((0..<count).map { _ in Int64.random(in: 1..<end, using: &random) })
    }

    private static func condition(_ random: inout PropertyTesting.SeededGenerator, depth: Int) -> TopicCondition {
        switch depth == 0 ? 0 : Int.random(in: 0..<7, using: &random) {
        case 0, 1: .member(names.randomElement(using: &random) ?? names[0])
        case 2, 3: .and(condition(&random, depth: depth - 1), condition(&random, depth: depth - 1))
        case 4, 5: .or(condition(&random, depth: depth - 1), condition(&random, depth: depth - 1))
        default: .not(condition(&random, depth: depth - 1))
        }
    }

    /// Chunk after chunk, each with a reader of its own, as a fan-out does.
    private static func read(
        _ target: SendTarget, _ table: TabledMemberships, _ random: inout PropertyTesting.SeededGenerator
    ) throws -> [Int64] {
        var found: [Int64] = []
        var cursor: RegistrationID?
        while true {
            let reader = MemberReader(target: target, project: project, after: cursor, in: table)
            let limit = Int.random(in: 1...700, using: &random)
            let chunk = try reader.next(limit: limit, examining: Int.random(in: 1...2_000, using: &random))
            #expect(chunk.members.count <= limit)
            found += chunk.members.map(\.value)
            if chunk.isLast { return found }
            #expect(chunk.cursor.map { $0 > cursor ?? RegistrationID(value: 0) } == true)
            cursor = chunk.cursor
        }
    }

    @Test func `follows a topic page by page`() throws {
        let table = TabledMemberships()
        table.set(Set(1...2_500), of: Self.names[0])
        var random = PropertyTesting.SeededGenerator(seed: 1)
        #expect(try Self.read(.topic(Self.names[0]), table, &random) == Array(1...2_500))
        #expect(try Self.read(.topic(Self.names[1]), table, &random) == [])
        #expect(try Self.read(.token("t"), table, &random) == [])
    }

    @Test func `skips through a large topic when a small one leads`() throws {
        let table = TabledMemberships()
        table.set(Set(1...200_000), of: Self.names[0])
        table.set([3, 150_000], of: Self.names[1])
        let condition = TopicCondition.and(.member(Self.names[0]), .member(Self.names[1]))
        let reader = MemberReader(target: .condition(condition), project: Self.project, after: nil, in: table)
        #expect(try reader.next(limit: 10, examining: 10).members.map(\.value) == [3, 150_000])
        #expect(table.membersRead < 5_000)
    }

    struct Leading: Sendable, CustomTestStringConvertible {
        var text: String
        var asksEveryone: Bool
        var testDescription: String { text }
    }

    @Test(arguments: [
        Leading(text: "'a' in topics && !('b' in topics)", asksEveryone: false),
        Leading(text: "!(!('a' in topics) || 'b' in topics)", asksEveryone: false),
        Leading(text: "!('a' in topics)", asksEveryone: true),
        Leading(text: "'a' in topics || !('b' in topics)", asksEveryone: true),
        Leading(text: "!('a' in topics && 'b' in topics)", asksEveryone: true),
    ])
    func `asks everybody only when a negation demands it`(row: Leading) throws {
        let table = TabledMemberships()
        table.setLive([1, 2, 3])
        table.set([1, 2], of: Self.names[0])
        let condition = try TopicConditionParser.parse(row.text, allowsNegation: true)
        let reader = MemberReader(target: .condition(condition), project: Self.project, after: nil, in: table)
        _ = try reader.next(limit: 10, examining: 10)
        #expect(table.everyoneWasAsked == row.asksEveryone)
    }
}
