import Synchronization
package import Timekeeping

/// How often something may happen for each of many keys: so many times at once, then once more each interval.
///
/// A key's state is one number, the time at which its bucket is full again, and a key whose bucket is full needs none.
/// Memory is bounded: when too many keys are under way at once, those that were longest unused start over.
package final class RateBuckets<Key: Hashable & Sendable>: Sendable {
    private struct State {
        /// Milliseconds since 1970.
        var times: [Key: Int64] = [:]
        var earlier: [Key: Int64] = [:]

        func time(of key: Key) -> Int64? {
            times[key] ?? earlier[key]
        }

        mutating func set(_ time: Int64, for key: Key, keys: Int, now: Int64) {
            if times.count >= keys, times[key] == nil {
                earlier = times.filter { $0.value > now }
                times.removeAll(keepingCapacity: true)
            }
            times[key] = time
            earlier[key] = nil
        }
    }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private static var shardCount: Int { 64 }

    private let intervalMilliseconds: Int64
    private let depthMilliseconds: Int64
    private let keysPerShard: Int
    private let shards: [Shard]

    /// - Parameters:
    ///   - burst: At least 1.
    ///   - intervalMilliseconds: At least 1.
    ///   - maximumKeys: Of which something is remembered; about twice as many are.
    package init(burst: Int, intervalMilliseconds: Int64, maximumKeys: Int = 262_144) {
        self.intervalMilliseconds = max(1, intervalMilliseconds)
        depthMilliseconds = Int64(max(1, burst)) * self.intervalMilliseconds
        keysPerShard = max(1, maximumKeys / Self.shardCount)
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    private func shard(of key: Key) -> Shard {
        var hasher = Hasher()
        hasher.combine(key)
        return shards[Int(UInt(bitPattern: hasher.finalize()) % UInt(Self.shardCount))]
    }

    /// - Returns: `nil` when it may happen, which then counts; else after how many milliseconds it may.
    package func take(_ key: Key, at now: Timestamp) -> Int64? {
        let now = now.milliseconds
        return shard(of: key).state.withLock { state in
            // A clock that was set back must not lock a key out for longer than its bucket lasts.
            let latest = now &+ depthMilliseconds
            let fullAt = min(max(state.time(of: key) ?? now, now), latest)
            let next = fullAt &+ intervalMilliseconds
            guard next <= latest else { return next &- latest }
            state.set(next, for: key, keys: keysPerShard, now: now)
            return nil
        }
    }

    /// Takes back what did not happen after all.
    package func giveBack(_ key: Key) {
        shard(of: key).state.withLock { state in
            if let fullAt = state.times[key] { state.times[key] = fullAt &- intervalMilliseconds }
        }
    }

    /// Keys of which something is remembered.
    var keyCount: Int {
        shards.reduce(0) { $0 + $1.state.withLock { $0.times.count + $0.earlier.count } }
    }
}
