public import PushModel

/// Who subscribed to what: what a fan-out reads. Members are live registrations.
public protocol TopicMemberships: Sendable {
    /// The next members of a topic, in the order of their ids.
    ///
    /// - Parameters:
    ///   - id: The last member of the page before; `nil` for the first page.
    ///   - limit: How many members at most. Fewer than that end the list.
    func members(
        of topic: TopicName, in project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID]

    /// How many members a topic has; 0 for a topic that nobody follows.
    func memberCount(of topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int

    /// The next live registrations of a project, in the order of their ids: what a negation is taken from. Reads every
    /// registration of the store on its way.
    func liveRegistrations(
        of project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID]

    /// The next live registrations that fit a segment, in the order of their ids.
    /// - Parameter budget: How many registrations are looked at, at most; a segment may find few among many.
    func members(
        of segment: Segment, in project: ProjectNumber, after id: RegistrationID?, limit: Int, examining budget: Int
    ) throws(StoreError) -> FanOutChunk
}

extension TopicMemberships {
    /// Nobody: for stores that know nothing of app instances.
    public func members(
        of segment: Segment, in project: ProjectNumber, after id: RegistrationID?, limit: Int, examining budget: Int
    ) throws(StoreError) -> FanOutChunk {
        FanOutChunk(members: [], cursor: id, isLast: true)
    }
}

/// Topics to which nobody can subscribe.
public struct NoTopicMemberships: TopicMemberships {
    public init() {}

    public func members(
        of topic: TopicName, in project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID] { [] }

    public func memberCount(of topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int { 0 }

    public func liveRegistrations(
        of project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID] { [] }
}
