import PropertyTesting
import PushCore
import PushModel
import Testing

@Suite struct `Topic conditions` {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var condition: TopicCondition

        init(_ text: String, _ condition: TopicCondition) {
            self.text = text
            self.condition = condition
        }

        var testDescription: String { text }
    }

    static func topic(_ name: String) -> TopicCondition { .member(TopicName(name)!) }
    static let a = topic("a")
    static let b = topic("b")
    static let c = topic("c")

    static let rows = [
        Row("'a' in topics", a),
        Row("  'a'\tin\n topics ", a),
        Row("'a'in topics", a),
        Row("('a' in topics)", a),
        Row("((('a' in topics)))", a),
        Row("'a' in topics && 'b' in topics", .and(a, b)),
        Row("'a' in topics&&'b' in topics", .and(a, b)),
        Row("'a' in topics || 'b' in topics && 'c' in topics", .and(.or(a, b), c)),
        Row("'a' in topics && 'b' in topics || 'c' in topics", .or(.and(a, b), c)),
        Row("'a' in topics || ('b' in topics && 'c' in topics)", .or(a, .and(b, c))),
        Row("('a' in topics || 'b' in topics) && 'c' in topics", .and(.or(a, b), c)),
        Row("'a' in topics || 'a' in topics", .or(a, a)),
        Row("'sport%7Cball~.-_9' in topics", topic("sport%7Cball~.-_9")),
        Row("'in' in topics && 'topics' in topics", .and(topic("in"), topic("topics"))),
        Row(
            "'1' in topics || '2' in topics || '3' in topics || '4' in topics || '5' in topics",
            .or(.or(.or(.or(topic("1"), topic("2")), topic("3")), topic("4")), topic("5"))),
    ]

    @Test(arguments: rows) func `group to the left, parentheses first`(row: Row) throws {
        #expect(try TopicConditionParser.parse(row.text, allowsNegation: false) == row.condition)
        #expect(try TopicConditionParser.parse(row.text, allowsNegation: true) == row.condition)
    }

    static let negations = [
        Row("!('a' in topics)", .not(a)),
        Row("!'a' in topics", .not(a)),
        Row("! ! 'a' in topics", .not(.not(a))),
        Row("'a' in topics && !('b' in topics || 'c' in topics)", .and(a, .not(.or(b, c)))),
    ]

    @Test(arguments: negations) func `are negated in the legacy protocols only`(row: Row) throws {
        #expect(try TopicConditionParser.parse(row.text, allowsNegation: true) == row.condition)
        #expect(throws: TopicConditionError.self) { try TopicConditionParser.parse(row.text, allowsNegation: false) }
    }

    @Test(arguments: [
        "", " ", "a in topics", "\"a\" in topics", "'a'", "'a' in", "'a' in topic", "'a' in topicsx", "'a' intopics",
        "'a' IN TOPICS", "'a' of topics", "in topics", "'' in topics", "' a' in topics", "'a b' in topics",
        "'/topics/a' in topics", "'п' in topics", "'a in topics", "a' in topics", "('a' in topics", "'a' in topics)",
        "()", "(", ")", "'a' in topics &&", "&& 'a' in topics", "'a' in topics & 'b' in topics",
        "'a' in topics and 'b' in topics", "'a' in topics 'b' in topics", "'a' in topics && || 'b' in topics",
        "'a' in topics; 'b' in topics", "'a' not in topics", "!", "!()", "true", "'a' in topics\u{0}",
    ]) func `are refused when they are none`(text: String) {
        for allowsNegation in [false, true] {
            let error = #expect(throws: TopicConditionError.self) {
                try TopicConditionParser.parse(text, allowsNegation: allowsNegation)
            }
            #expect(error != .tooManyTopics)
        }
    }

    @Test func `name five topics at most`() {
        let six = (1...6).map { "'\($0)' in topics" }.joined(separator: " && ")
        #expect(throws: TopicConditionError.tooManyTopics) {
            try TopicConditionParser.parse(six, allowsNegation: false)
        }
    }

    @Test func `may not nest without end`() {
        for text in [
            String(repeating: "(", count: 5000), String(repeating: "!", count: 5000) + "'a' in topics",
            String(repeating: "(", count: 40) + "'a' in topics" + String(repeating: ")", count: 40),
            String(repeating: " ", count: 100_000) + "'a' in topics",
        ] {
            #expect(throws: TopicConditionError.self) { try TopicConditionParser.parse(text, allowsNegation: true) }
        }
    }

    @Test func `hold for those who follow the right topics`() {
        let condition = TopicCondition.and(.or(Self.a, Self.b), .not(Self.c))
        let names = ["a", "b", "c"].compactMap { TopicName($0) }
        for choice in 0..<8 {
            let followed = Set(names.indices.filter { choice >> $0 & 1 == 1 }.map { names[$0] })
            let isMeant = (choice & 1 == 1 || choice & 2 == 2) && choice & 4 == 0
            #expect(condition.holds(in: followed) == isMeant, "\(followed)")
        }
        #expect(condition.topics == Set(names))
    }

    @Test func `never trap, whatever the text`() {
        var random = PropertyTesting.SeededGenerator(seed: 3)
        for round in 0..<4000 {
            let original = Array(Self.rows[round % Self.rows.count].text.utf8)
            let text = random.mutate(original, alphabet: Array("'()!&| intopcs".utf8))
            let condition = try? TopicConditionParser.parse(
                String(decoding: text, as: UTF8.self), allowsNegation: round.isMultiple(of: 2))
            #expect((condition?.topics.count ?? 0) <= TopicCondition.maximumTopics)
        }
    }
}
