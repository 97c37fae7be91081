import PushModel

/// The members of one topic, or every live registration of a project, in ascending order, read page by page.
struct MemberStream {
    enum Source {
        case topic(TopicName)
        case everyone
    }

    private static let shortestPage = 512
    private static let longestPage = 8_192

    private let source: Source
    private let project: ProjectNumber
    private let topics: any TopicMemberships
    private var page: [RegistrationID] = []
    private var place = 0
    private var pageSize = shortestPage
    private var last: RegistrationID?
    private var isAtEnd = false

    init(_ source: Source, of project: ProjectNumber, after id: RegistrationID?, in topics: any TopicMemberships) {
        self.source = source
        self.project = project
        self.topics = topics
        last = id
    }

    /// The member on which the stream stands.
    mutating func head() throws(StoreError) -> RegistrationID? {
        if place < page.count { return page[place] }
        if !isAtEnd { try readPage() }
        return place < page.count ? page[place] : nil
    }

    mutating func advance() {
        place += 1
    }

    /// Moves on to the first member that is not before the id.
    /// - Returns: Whether that is the id itself.
    mutating func reaches(_ id: RegistrationID) throws(StoreError) -> Bool {
        if place < page.count, page[place] < id { skip(before: id) }
        if place >= page.count {
            guard !isAtEnd else { return false }
            let before = RegistrationID(value: id.value &- 1)
            last = max(last ?? before, before)
            try readPage()
        }
        return place < page.count && page[place] == id
    }

    /// Gallops: near members are found in a step or two, far ones in the logarithm of their distance.
    private mutating func skip(before id: RegistrationID) {
        var step = 1
        while place + step < page.count, page[place + step] < id { step *= 2 }
        var low = place + step / 2
        var high = min(place + step, page.count)
        while low < high {
            let middle = (low + high) / 2
            if page[middle] < id { low = middle + 1 } else { high = middle }
        }
        place = low
    }

    private mutating func readPage() throws(StoreError) {
        switch source {
        case .topic(let name): page = try topics.members(of: name, in: project, after: last, limit: pageSize)
        case .everyone: page = try topics.liveRegistrations(of: project, after: last, limit: pageSize)
        }
        place = 0
        isAtEnd = page.count < pageSize
        last = page.last ?? last
        pageSize = min(pageSize * 2, Self.longestPage)
    }
}
