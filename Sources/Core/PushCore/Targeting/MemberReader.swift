import PushModel

/// Reads whom a topic or condition means, in ascending order, from a place on.
struct MemberReader {
    private let target: SendTarget
    private let project: ProjectNumber
    private let topics: any TopicMemberships
    private let cursor: RegistrationID?

    init(target: SendTarget, project: ProjectNumber, after cursor: RegistrationID?, in topics: any TopicMemberships) {
        self.target = target
        self.project = project
        self.topics = topics
        self.cursor = cursor
    }

    /// - Parameters:
    ///   - limit: Members at most.
    ///   - budget: Registrations that are looked at, at most; a condition may find few among many.
    func next(limit: Int, examining budget: Int) throws(StoreError) -> FanOutChunk {
        var chunk: FanOutChunk
        switch target {
        case .topic(let name):
            let members = try topics.members(of: name, in: project, after: cursor, limit: limit)
            chunk = FanOutChunk(members: members, cursor: members.last, isLast: members.count < limit)
        case .condition(let condition):
            var reader = try ConditionReader(condition, of: project, after: cursor, in: topics)
            chunk = try reader.next(limit: limit, examining: budget)
        case .segment(let segment):
            chunk = try topics.members(of: segment, in: project, after: cursor, limit: limit, examining: budget)
        case .token, .fid, .tokens:
            chunk = FanOutChunk(members: [], cursor: nil, isLast: true)
        }
        chunk.cursor = chunk.cursor ?? cursor
        return chunk
    }
}
