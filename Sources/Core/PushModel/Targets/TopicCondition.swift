/// A boolean expression over topics, as parsed.
///
/// `&&` and `||` have equal precedence and group to the left; at most `maximumTopics` topics. Source: FCM, topic
/// conditions.
public indirect enum TopicCondition: Hashable, Sendable {
    public static let maximumTopics = 5

    case member(TopicName)
    case and(TopicCondition, TopicCondition)
    case or(TopicCondition, TopicCondition)
    case not(TopicCondition)
}

extension TopicCondition: CustomStringConvertible {
    /// The expression as a sender would write it.
    public var description: String {
        switch self {
        case .member(let topic): "'\(topic)' in topics"
        case .and(let left, let right): "\(left.operand) && \(right.operand)"
        case .or(let left, let right): "\(left.operand) || \(right.operand)"
        case .not(let inner): "!(\(inner))"
        }
    }

    private var operand: String {
        switch self {
        case .member, .not: description
        case .and, .or: "(\(description))"
        }
    }
}
