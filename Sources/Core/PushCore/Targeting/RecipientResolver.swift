public import PushModel

/// Finds the registrations that a target names.
public struct RecipientResolver: Sendable {
    static let pageSize = 1000

    private let registrations: any RegistrationStore
    private let lookup: RegistrationLookup
    private let topics: any TopicMemberships

    public init(
        registrations: any RegistrationStore, tokens: RegistrationTokenCodec, topics: any TopicMemberships
    ) {
        self.registrations = registrations
        lookup = RegistrationLookup(registrations: registrations, tokens: tokens)
        self.topics = topics
    }

    /// - Returns: One registration for a token or FID; any number, also none, for a topic or condition.
    /// - Throws: `malformedToken`, `unregistered`, `senderIDMismatch`, or `unavailable` when the store does not answer.
    public func recipients(of target: SendTarget, in project: ProjectNumber) throws(SendError) -> [Registration] {
        do {
            switch target {
            case .token(let text): return [try lookup.registration(token: text, in: project)]
            case .fid(let fid): return [try lookup.registration(fid: fid, in: project)]
            case .topic(let name): return try registrations(of: Array(members(of: name, in: project)))
            case .condition(let condition): return try registrations(of: members(of: condition, in: project))
            }
        } catch let error as SendError {
            throw error
        } catch {
            throw .unavailable
        }
    }

    private func registrations(of ids: [RegistrationID]) throws -> [Registration] {
        try ids.sorted().compactMap { id in
            guard let registration = try registrations.registration(id), registration.ending == nil else { return nil }
            return registration
        }
    }

    private func members(of topic: TopicName, in project: ProjectNumber) throws -> Set<RegistrationID> {
        var members: Set<RegistrationID> = []
        var last: RegistrationID?
        while true {
            let page = try topics.members(of: topic, in: project, after: last, limit: Self.pageSize)
            members.formUnion(page)
            guard page.count == Self.pageSize else { return members }
            last = page.last
        }
    }

    /// Among the members of the topics that the condition names: nobody else is known to follow topics at all.
    private func members(of condition: TopicCondition, in project: ProjectNumber) throws -> [RegistrationID] {
        var topicsOfMember: [RegistrationID: Set<TopicName>] = [:]
        for topic in condition.topics {
            for member in try members(of: topic, in: project) { topicsOfMember[member, default: []].insert(topic) }
        }
        return topicsOfMember.filter { condition.holds(in: $0.value) }.map(\.key)
    }
}
