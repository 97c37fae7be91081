import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// Stores a message and its deliveries. The deliveries of a message have consecutive ids, so the message needs no
    /// counter to tell when the last one is gone.
    func accept(_ message: ValidatedMessage, content: [UInt8], recipients: [RegistrationID]) throws(StoreError)
        -> [DeliveryID]
    {
        guard !recipients.isEmpty else { return [] }
        let first = lastDelivery &+ 1
        let last = lastDelivery &+ Int64(recipients.count)
        try connection.change(
            """
            INSERT INTO messages (id, project, first_delivery, last_delivery, accepted_at, expires_at, content)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            message.id.value, message.project.number.value, first, last, message.acceptedAt.milliseconds,
            message.expiresAt.milliseconds, content)
        var ids: [DeliveryID] = []
        ids.reserveCapacity(recipients.count)
        for recipient in recipients { ids.append(try addDelivery(of: message.id, to: recipient)) }
        return ids
    }

    func addDelivery(of message: MessageID, to recipient: RegistrationID) throws(StoreError) -> DeliveryID {
        lastDelivery &+= 1
        do {
            try connection.change(
                "INSERT INTO deliveries (id, message, registration) VALUES (?, ?, ?)", lastDelivery, message.value,
                recipient.value)
        } catch {
            // The message is in already: only undoing the transaction leaves nothing half done.
            throw .unavailable("\(error)")
        }
        return DeliveryID(value: lastDelivery)
    }

    /// Writes outcomes down and takes their deliveries out of the queue, and each message after its last delivery.
    func record(_ outcomes: [FinishedDelivery]) throws(StoreError) {
        var counts = OutcomeCounts()
        var fanOuts = FanOutCounts()
        for finished in outcomes {
            // A delivery that is gone has its outcome already, or its project was deleted.
            guard try connection.change("DELETE FROM deliveries WHERE id = ?", finished.id.value) > 0 else { continue }
            if openFanOuts.contains(finished.message.value) {
                fanOuts.count(finished)
            } else {
                try removeMessage(ifLast: finished)
            }
            try addEvent(finished)
            counts.count(finished)
            newestEvent = max(newestEvent, finished.time.milliseconds)
        }
        try counts.add(to: connection)
        try add(fanOuts)
    }

    private func removeMessage(ifLast finished: FinishedDelivery) throws(StoreError) {
        try connection.change(
            """
            DELETE FROM messages WHERE id = ? AND NOT EXISTS
                (SELECT 1 FROM deliveries WHERE id BETWEEN messages.first_delivery AND messages.last_delivery)
            """, finished.message.value)
    }

    private func addEvent(_ finished: FinishedDelivery) throws(StoreError) {
        let detail = OutcomeDetail(of: finished.outcome)
        let code = OutcomeCode(finished.outcome).rawValue
        try connection.change(
            """
            INSERT OR REPLACE INTO delivery_events (id, message, project, registration, outcome, time, detail)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            finished.id.value, finished.message.value, finished.project.value, finished.registration.value, code,
            finished.time.milliseconds, detail)
    }

    /// Deletes events that are older than the time for which they are kept; the counts stay.
    /// - Returns: Whether there may be more to delete.
    func pruneEvents() throws(StoreError) -> Bool {
        let limit = 1000
        let oldest = Timestamp(milliseconds: newestEvent).adding(milliseconds: -eventRetentionMilliseconds)
        let deleted = try connection.change(
            """
            DELETE FROM delivery_events WHERE time < ?
                AND id IN (SELECT id FROM delivery_events ORDER BY id LIMIT ?)
            """, oldest.milliseconds, limit)
        try pruneFanOuts(before: oldest)
        return deleted == limit
    }
}
