import PushCore

/// The topics of a registration in order of subscription, as one row of `topic_lists`: for each the seconds since the
/// one before (the first: since `epoch`) and the topic's number.
struct TopicList {
    struct Entry: Equatable {
        var topic: Int64
        /// Seconds since 1970; never before that of the entry before.
        var time: Int64
    }

    /// 2023-11-14, before the first subscription there ever was: keeps the first time to four bytes until 2032.
    static let epoch: Int64 = 1_700_000_000

    private(set) var entries: [Entry] = []

    init() {}

    init(_ bytes: [UInt8]) throws(StoreError) {
        let entries = bytes.withUnsafeBytes { Self.read($0) }
        guard let entries else { throw .damaged("the topics of a registration") }
        self.entries = entries
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> [Entry]? {
        var entries: [Entry] = []
        var (place, time) = (0, epoch)
        while place < bytes.count {
            guard let distance = PackedIntegers.next(in: bytes, at: &place),
                let topic = PackedIntegers.next(in: bytes, at: &place)
            else { return nil }
            time = time &+ Int64(bitPattern: distance)
            entries.append(Entry(topic: Int64(bitPattern: topic), time: time))
        }
        return entries
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var last = Self.epoch
        for entry in entries {
            PackedIntegers.append(UInt64(bitPattern: entry.time &- last), to: &bytes)
            PackedIntegers.append(UInt64(bitPattern: entry.topic), to: &bytes)
            last = entry.time
        }
        return bytes
    }

    func contains(_ topic: Int64) -> Bool { entries.contains { $0.topic == topic } }

    /// - Parameter time: Seconds since 1970. A clock that was set back counts as standing still.
    mutating func append(_ topic: Int64, at time: Int64) {
        entries.append(Entry(topic: topic, time: max(Self.epoch, time, entries.last?.time ?? 0)))
    }

    /// - Returns: `false` when the topic is not in.
    mutating func remove(_ topic: Int64) -> Bool {
        guard let place = entries.firstIndex(where: { $0.topic == topic }) else { return false }
        entries.remove(at: place)
        return true
    }

    /// Takes over the topics of another registration of the same app instance, with their times.
    /// - Returns: The topics that are new here.
    mutating func merge(_ other: TopicList, limit: Int) -> [Int64] {
        let known = Set(entries.map(\.topic))
        let added = other.entries.filter { !known.contains($0.topic) }.prefix(max(0, limit - entries.count))
        entries = (entries + added).sorted { $0.time < $1.time }
        return added.map(\.topic)
    }
}
