import EventLoop
import PushCore

/// When the next connection may be opened. APNs takes many short connections for an attack.
struct ConnectBackOff {
    private let backOff: BackOff
    private var failures = 0
    private var unproductive = 0
    private var earliest: MonotonicTime?
    /// No address took the last connection, and none has since.
    private(set) var isUnreachable = false

    init(_ backOff: BackOff = BackOff(firstMilliseconds: 1_000, longestMilliseconds: 60_000)) {
        self.backOff = backOff
    }

    /// How long to wait; zero when a connection may be opened now.
    func remaining(at now: MonotonicTime) -> Duration {
        earliest.map { $0.since(now) } ?? .zero
    }

    /// The host did not answer, or not with HTTP/2.
    mutating func connectFailed(at now: MonotonicTime) {
        isUnreachable = true
        failures += 1
        wait(afterFailures: failures, at: now)
    }

    /// A connection ended before it carried one good answer. The first such gets its successor at once.
    mutating func connectionWasUnproductive(at now: MonotonicTime) {
        unproductive += 1
        if unproductive > 1 { wait(afterFailures: unproductive - 1, at: now) }
    }

    mutating func connected() {
        isUnreachable = false
        failures = 0
    }

    mutating func wasProductive() {
        guard unproductive > 0 || earliest != nil else { return }
        unproductive = 0
        earliest = nil
    }

    private mutating func wait(afterFailures failures: Int, at now: MonotonicTime) {
        let pause = backOff.delayMilliseconds(afterFailures: failures)
        let time = now.adding(.milliseconds(pause))
        earliest = max(earliest ?? time, time)
    }
}
