public import PushModel
public import Timekeeping

/// Subscriptions to topics. A topic is there as long as somebody follows it. A subscription belongs to a registration:
/// it ends with it, and moves along when the app instance registers anew in the other mode (token or FID).
///
/// Reads see every write that has returned; writes are durable when they return.
public protocol TopicStore: TopicMemberships {
    /// Subscribes registrations to a topic, in one transaction.
    /// - Returns: What became of each, in their order. Registrations that ended or are another project's are unknown.
    func subscribe(
        _ registrations: [RegistrationID], to topic: TopicName, in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> [TopicChange]

    /// Takes registrations out of a topic, in one transaction.
    /// - Returns: What became of each, in their order.
    func unsubscribe(
        _ registrations: [RegistrationID], from topic: TopicName, in project: ProjectNumber
    ) async throws(StoreError) -> [TopicChange]

    /// Takes a registration out of all its topics.
    /// - Returns: Out of how many.
    func leaveAllTopics(_ registration: RegistrationID) async throws(StoreError) -> Int

    func subscription(of registration: RegistrationID, to topic: TopicName) throws(StoreError) -> TopicSubscription?

    /// The next topics of a registration, by name.
    /// - Parameter topic: The last one of the page before; `nil` for the first page.
    func subscriptions(
        of registration: RegistrationID, after topic: TopicName?, limit: Int
    ) throws(StoreError) -> [TopicSubscription]

    /// The next topics of a project, by name.
    func topics(in project: ProjectNumber, after topic: TopicName?, limit: Int) throws(StoreError) -> [TopicSummary]

    /// Who may join which topics; no rules unless some were set.
    func topicRules(of project: ProjectNumber) throws(StoreError) -> TopicRules
    func setTopicRules(_ rules: TopicRules, of project: ProjectNumber) async throws(StoreError)
}

/// What a change of a subscription came to.
public enum TopicChange: Sendable, Equatable {
    case done
    /// It was so before.
    case unchanged
    case unknownRegistration
    /// The registration follows `TopicLimits.topicsPerRegistration` topics already.
    case tooManyTopics
}

/// One topic that a registration follows.
public struct TopicSubscription: Sendable, Equatable {
    public var topic: TopicName
    /// Whole seconds.
    public var createdAt: Timestamp

    public init(topic: TopicName, createdAt: Timestamp) {
        self.topic = topic
        self.createdAt = createdAt
    }
}

/// One topic of a project.
public struct TopicSummary: Sendable, Equatable {
    public var topic: TopicName
    public var members: Int

    public init(topic: TopicName, members: Int) {
        self.topic = topic
        self.members = members
    }
}

/// Source: FCM, "Topic messaging": 2,000 topics per app instance, 1,000 instances per call, 3,000 changes per second and
/// project.
public enum TopicLimits {
    public static let topicsPerRegistration = 2_000
    public static let registrationsPerCall = 1_000
    public static let changesPerSecond = 3_000
}
