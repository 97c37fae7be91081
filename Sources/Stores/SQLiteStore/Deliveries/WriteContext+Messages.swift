import PushCore
import PushModel
import Timekeeping

/// How long messages are kept after their last delivery, for the inspector.
struct MessageRetention: Sendable {
    var milliseconds: Int64
    /// Of one project's messages. The oldest go first.
    var bytesPerProject: Int64
}

extension WriteContext {
    /// Messages that one pruning takes away: more than as many batches as lie between two can add.
    private static let prunedAtOnce = 2_000

    /// Stores a message.
    /// - Parameter deliveries: The numbers that its deliveries have.
    func addMessage(
        _ message: ValidatedMessage, content: [UInt8], deliveries: ClosedRange<Int64>
    ) throws(StoreError) {
        let label = try texts.id(of: message.message.anyAnalyticsLabel?.text ?? "", on: connection)
        try connection.change(
            """
            INSERT INTO messages (id, project, first_delivery, last_delivery, accepted_at, expires_at, content, label,
                campaign) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            message.id.value, message.project.number.value, deliveries.lowerBound, deliveries.upperBound,
            message.acceptedAt.milliseconds, message.expiresAt.milliseconds, content, label,
            message.message.campaignNumber ?? 0)
        tally.addMessage(of: message.project.number.value, bytes: content.count)
    }

    /// Deletes messages that are done and too old, or more than their project may keep.
    /// - Returns: Whether there may be more to delete.
    func pruneMessages(at now: Timestamp) throws(StoreError) -> Bool {
        let oldest = now.adding(milliseconds: -retention.milliseconds).milliseconds
            .multipliedReportingOverflow(by: 1000)
        let aged = oldest.overflow ? 0 : try pruneMessages(before: oldest.partialValue)
        let full = try connection.all(
            "SELECT project, bytes FROM message_bytes WHERE bytes > ?", retention.bytesPerProject
        ) { (project: $0.integer(0), surplus: $0.integer(1) - retention.bytesPerProject) }
        var hasMore = aged == Self.prunedAtOnce
        for one in full {
            if try pruneMessages(of: one.project, bytes: one.surplus) { hasMore = true }
        }
        return hasMore
    }

    /// - Returns: How many were looked at.
    private func pruneMessages(before limit: Int64) throws(StoreError) -> Int {
        let rows = try connection.all(
            """
            SELECT id, project, length(content) FROM messages WHERE id > ? AND id < ? ORDER BY id LIMIT ?
            """, agedThrough, limit, Self.prunedAtOnce
        ) { (id: $0.integer(0), project: $0.integer(1), bytes: $0.integer(2)) }
        for row in rows { _ = try removeIfDone(row) }
        // Those that still wait are looked at again after all others.
        agedThrough = rows.count == Self.prunedAtOnce ? rows.last?.id ?? 0 : 0
        return rows.count
    }

    private func pruneMessages(of project: Int64, bytes surplus: Int64) throws(StoreError) -> Bool {
        let rows = try connection.all(
            "SELECT id, project, length(content) FROM messages WHERE project = ? ORDER BY id LIMIT ?", project,
            Self.prunedAtOnce
        ) { (id: $0.integer(0), project: $0.integer(1), bytes: $0.integer(2)) }
        var left = surplus
        var removed = 0
        for row in rows where left > 0 {
            guard try removeIfDone(row) else { continue }
            left -= row.bytes
            removed += 1
        }
        return left > 0 && removed > 0
    }

    private func removeIfDone(_ row: (id: Int64, project: Int64, bytes: Int64)) throws(StoreError) -> Bool {
        let removed = try connection.change(
            """
            DELETE FROM messages WHERE id = ? AND CASE WHEN first_delivery = 0
                THEN NOT EXISTS (SELECT 1 FROM fan_outs WHERE message = messages.id AND is_done = 0)
                ELSE NOT EXISTS
                    (SELECT 1 FROM deliveries WHERE id BETWEEN messages.first_delivery AND messages.last_delivery
                        AND message = messages.id)
                    AND NOT EXISTS
                    (SELECT 1 FROM inbox WHERE delivery BETWEEN messages.first_delivery AND messages.last_delivery
                        AND message = messages.id)
                END
            """, row.id)
        guard removed > 0 else { return false }
        try connection.change("DELETE FROM message_topics WHERE message = ?", row.id)
        try connection.change("DELETE FROM message_ranges WHERE message = ?", row.id)
        try connection.change("DELETE FROM message_counts WHERE message = ?", row.id)
        try connection.change("UPDATE message_bytes SET bytes = bytes - ? WHERE project = ?", row.bytes, row.project)
        return true
    }
}
