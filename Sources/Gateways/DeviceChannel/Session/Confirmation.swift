import EventLoop

/// When a client must be told that its upstream messages are committed, should no packet tell it before.
struct Confirmation: Sendable {
    /// The highest committed packet that the client waits for.
    private var owed: Int32 = 0
    /// The highest packet that the client knows to be committed.
    private var told: Int32 = 0
    private(set) var due: MonotonicTime?

    /// - Parameter time: By when to confirm it.
    mutating func owe(_ packet: Int32, by time: MonotonicTime) {
        owed = max(owed, packet)
        due = min(due ?? time, time)
    }

    /// How many committed packets the client has not been told of.
    func untold(of committed: Int32) -> Int32 { committed - told }

    /// A packet confirmed everything up to `packet`.
    mutating func confirmed(upTo packet: Int32) {
        told = packet
        if packet >= owed { due = nil }
    }

    /// - Parameters:
    ///   - committed: The highest number up to which every packet is committed.
    ///   - later: When to look again, unless `confirmed` comes.
    /// - Returns: Whether to write a packet that confirms `committed`.
    mutating func timePassed(_ now: MonotonicTime, committed: Int32, later: MonotonicTime) -> Bool {
        guard let due, due <= now else { return false }
        self.due = later
        return committed > told
    }
}
