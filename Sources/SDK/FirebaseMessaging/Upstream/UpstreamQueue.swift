#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The messages of the app on their way, in the order they were sent.
///
/// Each waits, is under way on the live connection, or is settled: then the app is being told. A message that is under
/// way when the connection ends waits again. Knows no storage.
struct UpstreamQueue: Sendable {
    /// More messages are refused.
    static let maximumCount = 1000

    /// A message whose end the app is to be told.
    struct Ended: Sendable {
        var id: UInt64
        var message: UpstreamMessage
    }

    private enum Stage { case waiting, underWay, settled }
    private struct Entry {
        var message: UpstreamMessage
        var stage: Stage
    }

    /// By persistent id; the ids ascend with time.
    private var entries: [UInt64: Entry] = [:]
    /// Messages that go at the next login or never.
    private var fleeting: [UpstreamMessage] = []
    private var lastID: UInt64 = 0

    init() {}

    /// - Parameter stored: What an earlier launch left, by persistent id.
    init(stored: [UInt64: UpstreamMessage]) {
        entries = stored.mapValues { Entry(message: $0, stage: .waiting) }
        lastID = stored.keys.max() ?? 0
    }

    /// A number that no message of this device had: microseconds since 1970, and ascending.
    mutating func makeID(at now: Date) -> UInt64 {
        let microseconds = UInt64(exactly: (now.timeIntervalSince1970 * 1_000_000).rounded(.down)) ?? 0
        lastID = max(lastID + 1, microseconds)
        return lastID
    }

    mutating func add(_ message: UpstreamMessage, id: UInt64) {
        entries[id] = Entry(message: message, stage: .waiting)
    }

    mutating func addFleeting(_ message: UpstreamMessage) {
        guard fleeting.count < Self.maximumCount else { return }
        fleeting.append(message)
    }

    /// The messages to be sent now; they are under way after that.
    mutating func takeWaiting() -> [UpstreamMessage] {
        var messages: [UpstreamMessage] = []
        for id in ids(at: .waiting) {
            guard let entry = entries[id] else { continue }
            entries[id]?.stage = .underWay
            messages.append(entry.message)
        }
        defer { fleeting = [] }
        return messages + fleeting
    }

    /// The connection ended.
    mutating func connectionEnded() {
        for id in ids(at: .underWay) { entries[id]?.stage = .waiting }
        fleeting = []
    }

    /// The server has these.
    ///
    /// - Returns: The ones that the app does not know about yet.
    mutating func settle(_ accepted: [String]) -> [Ended] {
        accepted.compactMap { UInt64($0) }.compactMap { settle($0) }
    }

    /// Those whose time is over. A message under way is spared: the server may have it.
    mutating func takeExpired(at now: Date) -> [Ended] {
        ids(at: .waiting).filter { entries[$0].map { $0.message.expiryTime <= now } == true }.compactMap { settle($0) }
    }

    /// The app knows how these ended.
    mutating func remove(_ ids: [UInt64]) {
        for id in ids { entries[id] = nil }
    }

    /// When `takeExpired` has the next one.
    var nextExpiry: Date? {
        entries.values.lazy.filter { $0.stage == .waiting }.map(\.message.expiryTime).min()
    }

    private mutating func settle(_ id: UInt64) -> Ended? {
        guard let entry = entries[id], entry.stage != .settled else { return nil }
        entries[id]?.stage = .settled
        return Ended(id: id, message: entry.message)
    }

    private func ids(at stage: Stage) -> [UInt64] {
        entries.filter { $0.value.stage == stage }.map(\.key).sorted()
    }
}
