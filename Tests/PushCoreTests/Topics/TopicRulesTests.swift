import PushCore
import PushModel
import Testing

@Suite struct `Topic rules` {
    struct Row: Sendable, CustomTestStringConvertible {
        var pattern: String
        var topic: String
        var matches: Bool
        var testDescription: String { "\(pattern) ~ \(topic)" }
    }

    static let fid = "cAAAAAAAAAAAAAAAAAAAAA"
    static let rows = [
        Row(pattern: "news", topic: "news", matches: true), Row(pattern: "news", topic: "news-de", matches: false),
        Row(pattern: "news-*", topic: "news-", matches: true), Row(pattern: "news-*", topic: "news-de", matches: true),
        Row(pattern: "*-de", topic: "news-de", matches: true), Row(pattern: "*-de", topic: "news-de2", matches: false),
        Row(pattern: "a*b*c", topic: "aXbYbZc", matches: true), Row(pattern: "a*b*c", topic: "aXc", matches: false),
        Row(pattern: "*", topic: "x", matches: true), Row(pattern: "**x", topic: "x", matches: true),
        Row(pattern: "user-{fid}", topic: "user-\(fid)", matches: true),
        Row(pattern: "user-{fid}", topic: "user-dAAAAAAAAAAAAAAAAAAAAA", matches: false),
        Row(pattern: "{fid}*", topic: "\(fid).inbox", matches: true),
        Row(pattern: "News", topic: "news", matches: false), Row(pattern: "a.b", topic: "axb", matches: false),
    ]

    @Test(arguments: rows) func `match names by pattern`(row: Row) throws {
        let pattern = try #require(TopicPattern(row.pattern))
        #expect(pattern.matches(try #require(TopicName(row.topic)), for: Self.fid) == row.matches)
    }

    @Test(arguments: ["", "a b", "é", "a/b", "{uid}", String(repeating: "a", count: 901)])
    func `are made of what a topic can be made of`(text: String) {
        #expect(TopicPattern(text) == nil)
    }

    @Test func `let everything through until there are some, and denial wins`() throws {
        let (news, admin) = (try #require(TopicName("news")), try #require(TopicName("admin")))
        #expect(TopicRules().allows(news, for: ""))
        let denies = TopicRules(denied: [try #require(TopicPattern("adm*"))])
        #expect(denies.allows(news, for: "") && !denies.allows(admin, for: ""))
        let allows = TopicRules(allowed: [try #require(TopicPattern("*"))], denied: denies.denied)
        #expect(allows.allows(news, for: "") && !allows.allows(admin, for: ""))
        #expect(!TopicRules(allowed: [try #require(TopicPattern("n*"))]).allows(admin, for: ""))
    }

    @Test func `of its own keep out who has no installation`() throws {
        let pattern = try #require(TopicPattern("*{fid}*"))
        #expect(!pattern.matches(try #require(TopicName("x")), for: ""))
    }

    @Test func `take bounded time for a hostile name`() throws {
        let pattern = try #require(TopicPattern(String(repeating: "*a", count: 400) + "b"))
        #expect(!pattern.matches(try #require(TopicName(String(repeating: "a", count: 900))), for: ""))
    }
}
