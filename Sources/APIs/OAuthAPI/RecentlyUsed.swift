/// A map of bounded size that forgets what was not asked for lately.
///
/// Two generations: a full young one becomes the old one, and what is asked for moves to the young one.
struct RecentlyUsed<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let generationLimit: Int

    /// - Parameter limit: At least 2.
    init(limit: Int) {
        generationLimit = max(limit / 2, 1)
    }

    var count: Int { young.count + old.count }

    mutating func value(of key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    mutating func insert(_ value: Value, for key: Key) {
        if young.count >= generationLimit, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
