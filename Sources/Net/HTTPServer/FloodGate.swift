import EventLoop

/// Counts frames that cost the server work and the peer nothing; a bucket that refills with time.
struct FloodGate {
    private let burst: Double
    private let perSecond: Double
    private var tokens: Double
    private var filled: MonotonicTime

    init(burst: Int, perSecond: Int, now: MonotonicTime) {
        self.burst = Double(max(1, burst))
        self.perSecond = Double(max(1, perSecond))
        tokens = self.burst
        filled = now
    }

    /// - Returns: `false` when the peer has used up what it may send.
    mutating func admit(at now: MonotonicTime) -> Bool {
        let nanoseconds = Double(now.since(filled).wholeNanoseconds)
        tokens = min(burst, tokens + nanoseconds / 1e9 * perSecond)
        filled = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
