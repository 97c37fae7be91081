import PushModel
import Synchronization
public import Timekeeping

/// How many messages each project may send: a token bucket that holds a minute's worth. Source: FCM, "Throttling and
/// quotas" (600,000 a minute).
public final class SendQuota: Sendable {
    private struct Bucket {
        var messages: Double
        var filledAt: Timestamp
    }

    private let messagesPerMinute: Double
    private let clock: any WallClock
    private let buckets = Mutex<[ProjectNumber: Bucket]>([:])

    public init(messagesPerMinute: Int = 600_000, clock: any WallClock) {
        self.messagesPerMinute = Double(max(messagesPerMinute, 1))
        self.clock = clock
    }

    /// Charges messages. More than a minute's worth at once is charged as a minute's worth.
    /// - Throws: `projectQuotaExceeded`, and charges nothing then.
    func charge(_ project: ProjectNumber, messages: Int = 1) throws(SendError) {
        let price = min(Double(max(messages, 1)), messagesPerMinute)
        let now = clock.now()
        let isCharged = buckets.withLock { buckets in
            var bucket = buckets[project] ?? Bucket(messages: messagesPerMinute, filledAt: now)
            let passed = Double(max(0, now.milliseconds &- bucket.filledAt.milliseconds))
            bucket.messages = min(messagesPerMinute, bucket.messages + passed * messagesPerMinute / 60_000)
            bucket.filledAt = now
            let isCharged = bucket.messages >= price
            if isCharged { bucket.messages -= price }
            buckets[project] = bucket
            return isCharged
        }
        guard isCharged else { throw SendError(.projectQuotaExceeded, "Message rate exceeded") }
    }

    /// Gives back what messages were charged that were refused after all.
    func refund(_ project: ProjectNumber, messages: Int = 1) {
        buckets.withLock { buckets in
            guard let filled = buckets[project]?.messages else { return }
            buckets[project]?.messages = min(messagesPerMinute, filled + Double(messages))
        }
    }
}
