import PushModel

/// Finds whom a condition means by merging the members of its topics, which are sorted by registration.
///
/// Only the members of the *leading* topics are looked at one by one: a set of topics of which everybody who is meant
/// follows at least one. `'a' in topics && 'b' in topics` is led by the smaller of the two; the other is only skipped
/// through. A condition that can hold for somebody without any topic is led by all live registrations.
struct ConditionReader {
    /// More than a condition can name.
    private static let maximumTopics = 10

    /// One stream for each topic.
    private var streams: [MemberStream] = []
    /// The streams, by place, that lead; `nil` when everybody does.
    private var leaders: [Int]?
    private var everyone: MemberStream
    /// Whether the condition holds for each set of topics, as bits by place.
    private var truth: [Bool] = []

    init(
        _ condition: TopicCondition, of project: ProjectNumber, after id: RegistrationID?,
        in topics: any TopicMemberships
    ) throws(StoreError) {
        everyone = MemberStream(.everyone, of: project, after: id, in: topics)
        leaders = []
        let names = condition.topics.sorted { $0.text < $1.text }
        guard names.count <= Self.maximumTopics else { return }
        var counts: [TopicName: Int] = [:]
        for name in names {
            counts[name] = try topics.memberCount(of: name, in: project)
            streams.append(MemberStream(.topic(name), of: project, after: id, in: topics))
        }
        leaders = condition.leaders(sizes: counts).topics.map { leading in
            names.indices.filter { leading.contains(names[$0]) }
        }
        truth = (0..<(1 << names.count)).map { bits in
            condition.holds(in: Set(names.indices.filter { bits & 1 << $0 != 0 }.map { names[$0] }))
        }
    }

    /// - Parameter budget: How many registrations are looked at before the search rests.
    mutating func next(limit: Int, examining budget: Int) throws(StoreError) -> FanOutChunk {
        var members: [RegistrationID] = []
        var cursor: RegistrationID?
        var left = budget
        while members.count < limit, left > 0 {
            guard let candidate = try nextCandidate() else {
                return FanOutChunk(members: members, cursor: cursor, isLast: true)
            }
            if truth[try topicBits(of: candidate)] { members.append(candidate) }
            cursor = candidate
            left -= 1
        }
        return FanOutChunk(members: members, cursor: cursor, isLast: false)
    }

    /// The smallest registration at the heads of the leading streams, which move on.
    private mutating func nextCandidate() throws(StoreError) -> RegistrationID? {
        guard let leaders else {
            defer { everyone.advance() }
            return try everyone.head()
        }
        var smallest: RegistrationID?
        for place in leaders {
            guard let head = try streams[place].head() else { continue }
            smallest = min(smallest ?? head, head)
        }
        return smallest
    }

    private mutating func topicBits(of candidate: RegistrationID) throws(StoreError) -> Int {
        var bits = 0
        for place in streams.indices where try streams[place].reaches(candidate) {
            bits |= 1 << place
            streams[place].advance()
        }
        return bits
    }
}

extension TopicCondition {
    /// Topics of which everybody who is meant follows at least one, with as few members as possible.
    ///
    /// - Parameter isNegated: Then for those who are *not* meant.
    /// - Returns: `nil` topics when there are none such.
    func leaders(
        sizes: [TopicName: Int], isNegated: Bool = false
    ) -> (topics: Set<TopicName>?, size: Int) {
        switch (self, isNegated) {
        case (.member(let name), false): ([name], sizes[name] ?? 0)
        case (.member, true): (nil, .max)
        case (.not(let inner), _): inner.leaders(sizes: sizes, isNegated: !isNegated)
        case (.and(let left, let right), false), (.or(let left, let right), true):
            Self.smaller(
                left.leaders(sizes: sizes, isNegated: isNegated), right.leaders(sizes: sizes, isNegated: isNegated))
        case (.or(let left, let right), false), (.and(let left, let right), true):
            Self.both(
                left.leaders(sizes: sizes, isNegated: isNegated), right.leaders(sizes: sizes, isNegated: isNegated))
        }
    }

    private typealias Leaders = (topics: Set<TopicName>?, size: Int)

    private static func smaller(_ left: Leaders, _ right: Leaders) -> Leaders {
        left.size <= right.size ? left : right
    }

    private static func both(_ left: Leaders, _ right: Leaders) -> Leaders {
        guard let leftTopics = left.topics, let rightTopics = right.topics else { return (nil, .max) }
        let (size, overflow) = left.size.addingReportingOverflow(right.size)
        return (leftTopics.union(rightTopics), overflow ? .max - 1 : size)
    }
}
