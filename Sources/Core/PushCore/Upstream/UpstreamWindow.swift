import PushModel
import Timekeeping

/// What one connection has and has not acknowledged.
struct UpstreamWindow: Sendable {
    struct Entry: Sendable {
        var id: UpstreamID
        var messageID: String
        var sender: String
        var expiresAt: Timestamp
        /// The beat of the lane at which it was handed over last.
        var beat: Int
    }

    let session: any AppServerSession
    let size: Int
    /// In the order in which they were handed over first.
    private(set) var entries: [Entry] = []
    /// The connection is ending: it gets nothing more.
    var isPaused = false

    init(_ session: any AppServerSession, size: Int) {
        self.session = session
        self.size = size
    }

    var room: Int { isPaused ? 0 : max(0, size - entries.count) }

    mutating func add(_ message: UpstreamMessage, beat: Int) {
        entries.append(
            Entry(
                id: message.id, messageID: message.content.messageID, sender: message.content.from,
                expiresAt: message.content.expiresAt, beat: beat))
    }

    /// Takes out the oldest message of that name.
    mutating func acknowledge(_ messageID: String, from sender: String?) -> UpstreamID? {
        let place = entries.firstIndex { $0.messageID == messageID && (sender == nil || $0.sender == sender) }
        return place.map { entries.remove(at: $0).id }
    }

    /// Takes out the messages whose time to live is over.
    mutating func removeExpired(at now: Timestamp) -> [UpstreamID] {
        let expired = entries.filter { $0.expiresAt <= now }.map(\.id)
        if !expired.isEmpty { entries.removeAll { $0.expiresAt <= now } }
        return expired
    }

    mutating func remove(_ id: UpstreamID) {
        entries.removeAll { $0.id == id }
    }

    /// Messages that were handed over at that beat or before; they count as handed over now.
    mutating func takeOverdue(upTo last: Int, now beat: Int) -> [UpstreamID] {
        guard !isPaused else { return [] }
        var overdue: [UpstreamID] = []
        for place in entries.indices where entries[place].beat <= last {
            overdue.append(entries[place].id)
            entries[place].beat = beat
        }
        return overdue
    }
}
