public import PushModel
import Synchronization

/// A device's connection. Its methods may be called from any thread and do not block.
public protocol DeviceSession: AnyObject, Sendable {
    /// A delivery was stored in the device's inbox.
    func ring(_ delivery: QueuedDelivery)
    /// The session is over: a newer one took its place, or the service stops.
    func end()
}

/// Which devices are connected now. A device has one session: the newest.
public final class LiveDevices: Sendable {
    private final class Shard: Sendable {
        let sessions = Mutex<[UInt64: any DeviceSession]>([:])
    }

    private let shards: [Shard]

    public init(shards count: Int = 64) {
        shards = (0..<max(1, count)).map { _ in Shard() }
    }

    private func shard(of device: UInt64) -> Shard {
        shards[Int(truncatingIfNeeded: (device &* 0x9E37_79B9_7F4A_7C15) >> 32) % shards.count]
    }

    /// - Returns: The session that this one replaces; the caller ends it.
    public func enter(_ session: any DeviceSession, device: UInt64) -> (any DeviceSession)? {
        shard(of: device).sessions.withLock { sessions in
            let previous = sessions[device]
            sessions[device] = session
            return previous
        }
    }

    /// - Returns: Whether it was the device's session until now.
    public func leave(_ session: any DeviceSession, device: UInt64) -> Bool {
        shard(of: device).sessions.withLock { sessions in
            guard sessions[device] === session else { return false }
            sessions[device] = nil
            return true
        }
    }

    public func session(of device: UInt64) -> (any DeviceSession)? {
        shard(of: device).sessions.withLock { $0[device] }
    }

    public func isConnected(_ device: UInt64) -> Bool {
        shard(of: device).sessions.withLock { $0[device] != nil }
    }

    public var count: Int {
        shards.reduce(0) { $0 + $1.sessions.withLock(\.count) }
    }

    public var all: [any DeviceSession] {
        shards.flatMap { shard in shard.sessions.withLock { Array($0.values) } }
    }
}
