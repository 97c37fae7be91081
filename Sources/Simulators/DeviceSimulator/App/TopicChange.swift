import FirebaseMessaging
import FirebasePlatform

/// What the user wants of a topic.
public struct TopicChange: Sendable, Hashable {
    public var topic: String
    /// False: leaves the topic.
    public var subscribes: Bool

    public init(topic: String, subscribes: Bool) {
        self.topic = topic
        self.subscribes = subscribes
    }
}

/// What came of a topic call.
public enum TopicOutcome: Sendable, Equatable {
    case done
    /// The SDK keeps the call until the network is there.
    case waiting
    case failed(TopicFailure)

    init(_ error: (any Error)?) {
        self = error.map { .failed(TopicFailure($0)) } ?? .done
    }
}

/// Why the SDK refused a topic call.
public struct TopicFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Domain, number and reason, as the SDK gives them.
    public let description: String
    /// Whether the name is not one that topics have.
    public let isWrongName: Bool

    init(_ error: any Error) {
        description = "\(error)"
        isWrongName = (error as? MessagingError)?.code == .invalidTopicName
    }
}
