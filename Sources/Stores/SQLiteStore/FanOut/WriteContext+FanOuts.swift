import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    static func openFanOuts(_ connection: Connection) throws(StoreError) -> Set<Int64> {
        Set(try connection.all("SELECT message FROM fan_outs WHERE is_done = 0") { $0.integer(0) })
    }

    /// The deliveries of a fan-out are not consecutive: the fan-out counts them, and says when the message is done.
    /// The range in the message's row covers every delivery there may ever be.
    func acceptFanOut(_ message: ValidatedMessage, content: [UInt8]) throws(StoreError) {
        try addMessage(message, content: content, deliveries: 0...Int64.max)
        do {
            for topic in message.target.topics {
                try connection.change(
                    "INSERT OR IGNORE INTO message_topics (project, topic, message) VALUES (?, ?, ?)",
                    message.project.number.value, topic.text, message.id.value)
            }
            try connection.change(
                "INSERT INTO fan_outs (message, project) VALUES (?, ?)", message.id.value, message.project.number.value)
        } catch {
            // The message is in already: only undoing the transaction leaves nothing half done.
            throw .unavailable("\(error)")
        }
        openFanOuts.insert(message.id.value)
    }

    /// - Returns: The deliveries; `nil` when the fan-out is gone, or split to its end.
    func extendFanOut(
        _ message: MessageID, by chunk: FanOutChunk, deliveries: [PlannedDelivery], at time: Timestamp
    ) throws(StoreError) -> Acceptance? {
        let fanOut = try connection.first(
            """
            UPDATE fan_outs SET cursor = max(cursor, ?), members = members + ?, is_split = ?
            WHERE message = ? AND is_split = 0 RETURNING members - accepted - failed - expired, project
            """, chunk.cursor?.value ?? 0, deliveries.count, chunk.isLast ? 1 : 0, message.value
        ) { (left: $0.integer(0), project: ProjectNumber(value: UInt64(bitPattern: $0.integer(1)))) }
        guard let fanOut else { return nil }
        let first = lastDelivery &+ 1
        let acceptance = try add(deliveries, of: message, in: fanOut.project, at: time)
        if lastDelivery >= first {
            try connection.change(
                "INSERT OR REPLACE INTO message_ranges (message, first, last) VALUES (?, ?, ?)", message.value, first,
                lastDelivery)
        }
        if chunk.isLast, fanOut.left == 0 { try close(message) }
        return acceptance
    }

    /// Adds outcomes to their fan-outs and closes those that are done.
    func add(_ outcomes: FanOutCounts) throws(StoreError) {
        for (message, counts) in outcomes.counts {
            let isDone = try connection.first(
                """
                UPDATE fan_outs SET accepted = accepted + ?, failed = failed + ?, expired = expired + ?
                WHERE message = ? RETURNING is_split = 1 AND accepted + failed + expired >= members
                """, counts.accepted, counts.failed, counts.expired, message.value
            ) { $0.integer(0) != 0 }
            // Without a row the project was deleted, and its messages go with it.
            if isDone ?? false { try close(message) }
        }
    }

    private func close(_ message: MessageID) throws(StoreError) {
        try connection.change("UPDATE fan_outs SET is_done = 1 WHERE message = ?", message.value)
        openFanOuts.remove(message.value)
    }

    /// Forgets fan-outs that are done for as long as their events are kept. Ids of messages are microseconds.
    func pruneFanOuts(before oldest: Timestamp) throws(StoreError) {
        try connection.change(
            "DELETE FROM fan_outs WHERE message < ? AND is_done = 1",
            oldest.milliseconds.multipliedReportingOverflow(by: 1000).partialValue)
    }
}
