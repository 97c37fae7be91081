import PushModel

/// Messages that are done and wait to be closed in the store, gathered into few transactions.
struct UpstreamClosings: Sendable {
    private static let maximumBatch = 500

    private var waiting: [UpstreamID] = []
    private var isRunning = false
    /// The store failed; somebody tries again later.
    private var isPausing = false
    private var drainWaiters: [CheckedContinuation<Void, Never>] = []

    /// - Returns: Whether somebody has to start closing.
    mutating func add(_ ids: [UpstreamID]) -> Bool {
        guard !ids.isEmpty else { return false }
        waiting += ids
        defer { isRunning = true }
        return !isRunning
    }

    /// - Returns: What to close next; when that is nothing, who waited for the end.
    mutating func next() -> (batch: [UpstreamID], waiters: [CheckedContinuation<Void, Never>]) {
        let batch = Array(waiting.prefix(Self.maximumBatch))
        waiting.removeFirst(batch.count)
        guard batch.isEmpty else { return (batch, []) }
        isRunning = false
        return ([], takeWaiters())
    }

    /// Nobody who drains waits for a store that fails: what stays open is handed out again by the next run.
    mutating func putBack(_ batch: [UpstreamID]) -> [CheckedContinuation<Void, Never>] {
        waiting = batch + waiting
        isPausing = true
        return takeWaiters()
    }

    mutating func endPause() {
        isPausing = false
    }

    /// - Returns: Whether there is anything to wait for.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard isRunning, !isPausing else { return false }
        drainWaiters.append(continuation)
        return true
    }

    private mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
        defer { drainWaiters = [] }
        return drainWaiters
    }
}
