import PushModel

/// Messages that are done and wait to be closed in the store, gathered into few transactions.
struct UpstreamClosings: Sendable {
    private static let maximumBatch = 500

    private var waiting: [UpstreamID] = []
    private var isRunning = false
    /// The store failed; somebody tries again later.
    private var isPausing = false
    /// How many were ever added, and how many of these are closed.
    private var added = 0
    private var closed = 0
    /// In the order of what they wait for.
    private var drainWaiters: [(end: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// - Returns: Whether somebody has to start closing.
    mutating func add(_ ids: [UpstreamID]) -> Bool {
        guard !ids.isEmpty else { return false }
        waiting += ids
        added += ids.count
        defer { isRunning = true }
        return !isRunning
    }

    /// - Returns: What to close next.
    mutating func next() -> [UpstreamID] {
        let batch = Array(waiting.prefix(Self.maximumBatch))
        waiting.removeFirst(batch.count)
        if batch.isEmpty { isRunning = false }
        return batch
    }

    /// So many are closed.
    /// - Returns: Who waited for them.
    mutating func finish(_ count: Int) -> [CheckedContinuation<Void, Never>] {
        closed += count
        return takeWaiters(upTo: closed)
    }

    /// Nobody who drains waits for a store that fails: what stays open is handed out again by the next run.
    mutating func putBack(_ batch: [UpstreamID]) -> [CheckedContinuation<Void, Never>] {
        waiting = batch + waiting
        isPausing = true
        return takeWaiters(upTo: added)
    }

    mutating func endPause() {
        isPausing = false
    }

    /// Waits for what was added so far.
    /// - Returns: Whether there is anything to wait for.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard closed < added, !isPausing else { return false }
        drainWaiters.append((added, continuation))
        return true
    }

    private mutating func takeWaiters(upTo end: Int) -> [CheckedContinuation<Void, Never>] {
        let taken = drainWaiters.prefix { $0.end <= end }.map(\.continuation)
        drainWaiters.removeFirst(taken.count)
        return taken
    }
}
