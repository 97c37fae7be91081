public import PushModel

/// Who subscribed to what.
public protocol TopicMemberships: Sendable {
    /// The next members of a topic, in the order of their ids.
    ///
    /// - Parameters:
    ///   - id: The last member of the page before; `nil` for the first page.
    ///   - limit: How many members at most. Fewer than that end the list.
    func members(
        of topic: TopicName, in project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID]
}

/// Topics to which nobody can subscribe.
public struct NoTopicMemberships: TopicMemberships {
    public init() {}

    public func members(
        of topic: TopicName, in project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID] { [] }
}
