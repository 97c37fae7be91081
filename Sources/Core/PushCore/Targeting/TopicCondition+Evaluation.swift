public import PushModel

extension TopicCondition {
    /// The topics that the condition names.
    public var topics: Set<TopicName> {
        switch self {
        case .member(let name): [name]
        case .and(let left, let right), .or(let left, let right): left.topics.union(right.topics)
        case .not(let inner): inner.topics
        }
    }

    /// Whether somebody who follows these topics is meant.
    public func holds(in topics: Set<TopicName>) -> Bool {
        switch self {
        case .member(let name): topics.contains(name)
        case .and(let left, let right): left.holds(in: topics) && right.holds(in: topics)
        case .or(let left, let right): left.holds(in: topics) || right.holds(in: topics)
        case .not(let inner): !inner.holds(in: topics)
        }
    }
}
