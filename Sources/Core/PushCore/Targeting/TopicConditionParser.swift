public import PushModel

/// Why a text is no condition.
public enum TopicConditionError: Error, Sendable, Equatable {
    /// - Parameter offset: Bytes before the place that does not fit.
    case syntax(offset: Int)
    case tooManyTopics
}

/// Reads conditions: `'a' in topics && ('b' in topics || 'c' in topics)`.
///
/// `&&` and `||` bind equally and group to the left; parentheses come first; white space is free between tokens; at most
/// `TopicCondition.maximumTopics` topic tests. Source: FCM, topic conditions.
public struct TopicConditionParser {
    /// How many parentheses and negations may enclose a test.
    public static let maximumDepth = 32
    /// Longer texts are refused before they are read: five names of 900 characters and what stands between them.
    public static let maximumBytes = 8192

    private let text: [UInt8]
    private let allowsNegation: Bool
    private var position = 0
    private var topics = 0

    private init(_ text: [UInt8], allowsNegation: Bool) {
        self.text = text
        self.allowsNegation = allowsNegation
    }

    /// - Parameter allowsNegation: Whether `!` may stand before a test or a parenthesis: the legacy protocols took it,
    ///   HTTP v1 does not.
    public static func parse(
        _ text: String, allowsNegation: Bool
    ) throws(TopicConditionError) -> TopicCondition {
        guard text.utf8.count <= maximumBytes else { throw .syntax(offset: maximumBytes) }
        var parser = TopicConditionParser(Array(text.utf8), allowsNegation: allowsNegation)
        let condition = try parser.expression(depth: 0)
        parser.skipWhiteSpace()
        guard parser.position == parser.text.count else { throw .syntax(offset: parser.position) }
        return condition
    }

    private mutating func expression(depth: Int) throws(TopicConditionError) -> TopicCondition {
        var left = try operand(depth: depth)
        while true {
            if take("&&") {
                left = .and(left, try operand(depth: depth))
            } else if take("||") {
                left = .or(left, try operand(depth: depth))
            } else {
                return left
            }
        }
    }

    private mutating func operand(depth: Int) throws(TopicConditionError) -> TopicCondition {
        guard depth < Self.maximumDepth else { throw .syntax(offset: position) }
        if allowsNegation, take("!") { return .not(try operand(depth: depth + 1)) }
        guard take("(") else { return .member(try topicTest()) }
        let inner = try expression(depth: depth + 1)
        guard take(")") else { throw .syntax(offset: position) }
        return inner
    }

    private mutating func topicTest() throws(TopicConditionError) -> TopicName {
        guard take("'") else { throw .syntax(offset: position) }
        let start = position
        guard let end = text[start...].firstIndex(of: UInt8(ascii: "'")),
            let name = TopicName(String(decoding: text[start..<end], as: UTF8.self))
        else { throw .syntax(offset: start) }
        position = end + 1
        guard takeWord("in"), takeWord("topics") else { throw .syntax(offset: position) }
        topics += 1
        guard topics <= TopicCondition.maximumTopics else { throw .tooManyTopics }
        return name
    }

    /// Takes a token after any white space; leaves the place alone when another one stands there.
    private mutating func take(_ token: StaticString) -> Bool {
        skipWhiteSpace()
        let isThere = token.withUTF8Buffer { text[position...].starts(with: $0) }
        if isThere { position += token.utf8CodeUnitCount }
        return isThere
    }

    /// As `take`, for a word that no letter or digit may follow.
    private mutating func takeWord(_ word: StaticString) -> Bool {
        let start = position
        guard take(word) else { return false }
        guard position < text.count, TopicName(String(decoding: text[position...position], as: UTF8.self)) != nil else {
            return true
        }
        position = start
        return false
    }

    private mutating func skipWhiteSpace() {
        while position < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[position]) { position += 1 }
    }
}
