import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// Stores a message and its deliveries. The deliveries of a message have consecutive ids, so the message needs no
    /// counter to tell when the last one is gone.
    ///
    /// Making room in inboxes may leave notes between them, so the range is closed afterwards.
    func accept(
        _ message: ValidatedMessage, content: [UInt8], deliveries: [PlannedDelivery]
    ) throws(StoreError) -> Acceptance {
        guard !deliveries.isEmpty else { return Acceptance(deliveries: []) }
        let first = lastDelivery &+ 1
        let last = lastDelivery &+ Int64(deliveries.count)
        try addMessage(message, content: content, deliveries: first...last)
        let acceptance = try add(deliveries, of: message.id, in: message.project.number, at: message.acceptedAt)
        if lastDelivery > last {
            try connection.change(
                "UPDATE messages SET last_delivery = ? WHERE id = ?", lastDelivery, message.id.value)
        }
        return acceptance
    }

    /// Adds the deliveries of a message that is in the store.
    func add(
        _ deliveries: [PlannedDelivery], of message: MessageID, in project: ProjectNumber, at time: Timestamp
    ) throws(StoreError) -> Acceptance {
        var acceptance = Acceptance(deliveries: [])
        acceptance.deliveries.reserveCapacity(deliveries.count)
        var record = OutcomeRecord()
        var filling = InboxFilling()
        for delivery in deliveries {
            guard let place = delivery.inbox else {
                acceptance.deliveries.append(
                    AcceptedDelivery(id: try addDelivery(of: message, to: delivery.registration)))
                continue
            }
            do {
                acceptance.deliveries.append(
                    try addToInbox(message, delivery.registration, at: place, time: time, in: &record, &filling))
            } catch {
                // The message is in already: only undoing the transaction leaves nothing half done.
                throw .unavailable("\(error)")
            }
        }
        do {
            try write(&filling)
            try countTargets(deliveries, of: message, in: project)
            try close(record)
        } catch {
            throw .unavailable("\(error)")
        }
        acceptance.ended = record.recorded
        return acceptance
    }

    func addDelivery(of message: MessageID, to recipient: RegistrationID) throws(StoreError) -> DeliveryID {
        do {
            try connection.change(
                "INSERT INTO deliveries (id, message, registration) VALUES (?, ?, ?)", try nextDelivery(to: recipient),
                message.value, recipient.value)
        } catch {
            // The message is in already: only undoing the transaction leaves nothing half done.
            throw .unavailable("\(error)")
        }
        return DeliveryID(value: lastDelivery)
    }

    /// Writes outcomes down and takes their deliveries out of the queue.
    func record(_ outcomes: [FinishedDelivery]) throws(StoreError) {
        _ = try record(outcomes) { (finished) throws(StoreError) in try remove(finished.id) }
    }

    /// - Parameter remove: Takes a delivery out of its table. One that is gone has its outcome already, or its project
    ///   was deleted.
    /// - Returns: The deliveries that were there.
    func record(
        _ outcomes: [FinishedDelivery], removing remove: (FinishedDelivery) throws(StoreError) -> Bool
    ) throws(StoreError) -> [FinishedDelivery] {
        var record = OutcomeRecord()
        for finished in outcomes where try remove(finished) { try write(finished, in: &record) }
        try close(record)
        return record.recorded
    }

    /// Notes the outcome of a delivery that was taken out of its table; `close` writes it down.
    func write(_ finished: FinishedDelivery, in record: inout OutcomeRecord) throws(StoreError) {
        if openFanOuts.contains(finished.message.value) { record.fanOuts.count(finished) }
        record.counts.count(finished)
        try count(finished)
        newestEvent = max(newestEvent, finished.time.milliseconds)
        record.recorded.append(finished)
    }

    /// Adds the events and the counts of what was written down.
    func close(_ record: OutcomeRecord) throws(StoreError) {
        guard !record.recorded.isEmpty else { return }
        try addEvents(record.recorded)
        try record.counts.add(to: connection)
        try add(record.fanOuts)
    }

    /// - Returns: Whether it was there.
    private func remove(_ id: DeliveryID) throws(StoreError) -> Bool {
        if try connection.change("DELETE FROM deliveries WHERE id = ?", id.value) > 0 { return true }
        return try connection.change("DELETE FROM inbox WHERE delivery = ?", id.value) > 0
    }

    private func addEvents(_ all: [FinishedDelivery]) throws(StoreError) {
        try connection.change(.addEvent, all) { (finished, statement, place) throws(StoreError) in
            try connection.bind(
                finished.id.value, finished.message.value, finished.project.value, finished.registration.value,
                OutcomeCode(finished.outcome).rawValue, finished.time.milliseconds,
                OutcomeDetail(of: finished.outcome), to: statement, from: place)
        }
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
        try pruneAttempts(before: oldest)
        let hasMoreMessages = try pruneMessages(at: Timestamp(milliseconds: newestEvent))
        return deleted == limit || hasMoreMessages
    }
}
