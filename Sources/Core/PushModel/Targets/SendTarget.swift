/// Whom a sender named. The text of a token is kept as sent: only the registry can tell what it is.
public enum SendTarget: Hashable, Sendable {
    /// A registration token, a FID in its place, or a device group's key.
    case token(String)
    /// Several devices: a list of registration tokens, or the key of what turned out to be a device group.
    case tokens([String])
    case fid(FirebaseInstallationID)
    case topic(TopicName)
    case condition(TopicCondition)
    /// Whoever fits when the message is split: a campaign's target.
    case segment(Segment)
}

extension SendTarget {
    /// The topics that the sender named, each once.
    public var topics: [TopicName] {
        switch self {
        case .token, .tokens, .fid, .segment: []
        case .topic(let topic): [topic]
        case .condition(let condition): condition.topics
        }
    }
}

extension TopicCondition {
    fileprivate var topics: [TopicName] {
        switch self {
        case .member(let topic): [topic]
        case .and(let left, let right), .or(let left, let right):
            left.topics + right.topics.filter { !left.topics.contains($0) }
        case .not(let inner): inner.topics
        }
    }
}
