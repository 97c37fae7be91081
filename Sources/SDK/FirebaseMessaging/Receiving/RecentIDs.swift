/// The ids of the latest messages of this process, within bounds: a process may live for weeks.
struct RecentIDs: Sendable {
    static let maximumCount = 4096
    private var known: Set<String> = []
    private var oldestFirst: [String] = []

    /// - Returns: Whether the id is new.
    mutating func insert(_ id: String) -> Bool {
        guard known.insert(id).inserted else { return false }
        oldestFirst.append(id)
        if oldestFirst.count > Self.maximumCount {
            known.subtract(oldestFirst.prefix(Self.maximumCount / 4))
            oldestFirst.removeFirst(Self.maximumCount / 4)
        }
        return true
    }
}
