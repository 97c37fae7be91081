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
