import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// Stores a delivery in an inbox, and makes room for it.
    ///
    /// - Parameter ended: Gets the deliveries that gave way.
    func addToInbox(
        _ message: MessageID, _ recipient: RegistrationID, at place: InboxPlace, time: Timestamp,
        ended: inout [FinishedDelivery]
    ) throws(StoreError) -> AcceptedDelivery {
        if let key = place.collapseKey {
            ended += try supersede(key, of: recipient, at: place.device, time: time)
        } else if !place.isConnected {
            ended += try emptyFullInbox(of: recipient, at: place.device, time: time)
        }
        let previous = try connection.first("SELECT max(delivery) FROM inbox WHERE device = ?", place.device) {
            $0.isNull(0) ? nil : DeliveryID(value: $0.integer(0))
        }
        lastDelivery &+= 1
        try connection.change(
            """
            INSERT INTO inbox (delivery, device, message, registration, collapse_key, expires_at, may_return)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, lastDelivery, place.device, message.value, recipient.value, place.collapseKey,
            place.expiresAt.milliseconds, place.mayReturn ? 1 : 0)
        return AcceptedDelivery(id: DeliveryID(value: lastDelivery), previousInInbox: previous ?? nil)
    }

    // MARK: Making room

    /// Ends the waiting message of the same key; and the oldest of another, when the app has as many keys as it may.
    private func supersede(
        _ key: String, of recipient: RegistrationID, at device: UInt64, time: Timestamp
    ) throws(StoreError) -> [FinishedDelivery] {
        let waiting = try connection.all(
            """
            SELECT delivery, message, collapse_key FROM inbox
            WHERE device = ? AND registration = ? AND collapse_key IS NOT NULL ORDER BY delivery
            """, device, recipient.value
        ) { (id: $0.integer(0), message: $0.integer(1), key: $0.text(2)) }
        let others = waiting.filter { $0.key != key }
        let surplus = max(0, others.count - InboxLimits.collapseKeys + 1)
        let leaving = waiting.filter { $0.key == key } + others.prefix(surplus)
        return try end(leaving.map { ($0.id, $0.message) }, of: recipient, .superseded, time: time)
    }

    /// When as many messages wait as may, all are dropped and the device is told how many.
    private func emptyFullInbox(
        of recipient: RegistrationID, at device: UInt64, time: Timestamp
    ) throws(StoreError) -> [FinishedDelivery] {
        let waiting = try connection.all(
            """
            SELECT delivery, message FROM inbox
            WHERE device = ? AND registration = ? AND collapse_key IS NULL AND dropped IS NULL LIMIT ?
            """, device, recipient.value, InboxLimits.waitingMessages
        ) { (id: $0.integer(0), message: $0.integer(1)) }
        guard waiting.count >= InboxLimits.waitingMessages else { return [] }
        let all = try connection.all(
            """
            SELECT delivery, message FROM inbox
            WHERE device = ? AND registration = ? AND collapse_key IS NULL AND dropped IS NULL
            """, device, recipient.value
        ) { ($0.integer(0), $0.integer(1)) }
        let ended = try end(all, of: recipient, .discarded, time: time)
        try noteDropped(all.count, of: recipient, at: device)
        return ended
    }

    /// Leaves one note for the registration, after whatever waits for it.
    func noteDropped(_ count: Int, of recipient: RegistrationID, at device: UInt64) throws(StoreError) {
        let earlier = try connection.integer(
            "SELECT sum(dropped) FROM inbox WHERE device = ? AND registration = ? AND dropped IS NOT NULL", device,
            recipient.value)
        try connection.change(
            "DELETE FROM inbox WHERE device = ? AND registration = ? AND dropped IS NOT NULL", device, recipient.value)
        lastDelivery &+= 1
        try connection.change(
            """
            INSERT INTO inbox (delivery, device, message, registration, expires_at, dropped, may_return)
            VALUES (?, ?, 0, ?, ?, ?, 0)
            """, lastDelivery, device, recipient.value, Int64.max, earlier + Int64(count))
    }

    private func end(
        _ rows: [(id: Int64, message: Int64)], of recipient: RegistrationID, _ outcome: DeliveryOutcome,
        time: Timestamp
    ) throws(StoreError) -> [FinishedDelivery] {
        var ended: [FinishedDelivery] = []
        for row in rows {
            ended.append(
                FinishedDelivery(
                    id: DeliveryID(value: row.id), message: MessageID(value: row.message),
                    project: try project(ofMessage: row.message), registration: recipient, outcome: outcome,
                    time: time))
        }
        try record(ended)
        return ended
    }

    private func project(ofMessage id: Int64) throws(StoreError) -> ProjectNumber {
        ProjectNumber(
            value: UInt64(bitPattern: try connection.integer("SELECT project FROM messages WHERE id = ?", id)))
    }

    // MARK: Ends

    /// Takes entries out of an inbox. Those that are not there any more are left alone.
    /// - Returns: The receipts of those that were there.
    func settle(
        _ settlements: [InboxSettlement], of device: UInt64
    ) throws(StoreError) -> [UpstreamMessage] {
        var receipts: [UpstreamMessage] = []
        var there: [FinishedDelivery] = []
        for settlement in settlements {
            let id = settlement.finished.id.value
            if settlement.finished.message.value == 0 {
                try connection.change("DELETE FROM inbox WHERE delivery = ? AND device = ?", id, device)
                continue
            }
            let isThere =
                try connection.integer(
                    "SELECT count(*) FROM inbox WHERE delivery = ? AND device = ?", id, device) > 0
            guard isThere else { continue }
            there.append(settlement.finished)
            if let receipt = settlement.receipt { receipts.append(try addUpstream(receipt, from: nil)) }
        }
        try record(there)
        return receipts
    }

    /// Drops everything that waits for a device.
    func discardInbox(of device: UInt64, at time: Timestamp) throws(StoreError) -> [FinishedDelivery] {
        let rows = try connection.all(
            "SELECT delivery, message, registration FROM inbox WHERE device = ? AND dropped IS NULL", device
        ) { (id: $0.integer(0), message: $0.integer(1), registration: $0.integer(2)) }
        var ended: [FinishedDelivery] = []
        for (registration, rows) in Dictionary(grouping: rows, by: \.registration) {
            let recipient = RegistrationID(value: registration)
            ended += try end(rows.map { ($0.id, $0.message) }, of: recipient, .discarded, time: time)
            try noteDropped(rows.count, of: recipient, at: device)
        }
        return ended
    }

    /// Ends what waits for a registration that was deleted: whoever registers again under its key gets none of it.
    func endInbox(of recipient: RegistrationID, at device: UInt64, time: Timestamp) throws(StoreError) {
        let rows = try connection.all(
            "SELECT delivery, message FROM inbox WHERE device = ? AND registration = ? AND dropped IS NULL", device,
            recipient.value
        ) { ($0.integer(0), $0.integer(1)) }
        _ = try end(rows, of: recipient, .failed(.unregistered), time: time)
        try connection.change(
            "DELETE FROM inbox WHERE device = ? AND registration = ?", device, recipient.value)
    }

    /// Moves what APNs may bring instead into the queue of the gateways, under the same numbers.
    /// - Returns: The numbers.
    func returnToGateway(device: UInt64, registration: RegistrationID?) throws(StoreError) -> [DeliveryID] {
        let rows = try connection.all(
            """
            SELECT delivery, registration FROM inbox
            WHERE device = ? AND may_return = 1 AND dropped IS NULL ORDER BY delivery
            """, device
        ) { (id: $0.integer(0), registration: $0.integer(1)) }
        var moved: [DeliveryID] = []
        for row in rows where registration == nil || registration?.value == row.registration {
            try connection.change(
                "INSERT INTO deliveries SELECT delivery, message, registration FROM inbox WHERE delivery = ?", row.id)
            try connection.change("DELETE FROM inbox WHERE delivery = ?", row.id)
            moved.append(DeliveryID(value: row.id))
        }
        return moved
    }

    /// As `returnToGateway` for all devices: after a restart none is connected. In a transaction of its own, before the
    /// writer's thread has begun.
    func returnAllToGateway() throws(StoreError) {
        try connection.execute("BEGIN IMMEDIATE")
        try connection.change(
            """
            INSERT INTO deliveries SELECT delivery, message, registration FROM inbox
            WHERE may_return = 1 AND dropped IS NULL
            """)
        try connection.change("DELETE FROM inbox WHERE may_return = 1 AND dropped IS NULL")
        try connection.execute("COMMIT")
    }

    /// Ends what expired among the next rows.
    func sweepInboxes(
        after id: DeliveryID, rows limit: Int, at time: Timestamp
    ) throws(StoreError) -> (ended: [FinishedDelivery], next: DeliveryID?) {
        let rows = try connection.all(
            """
            SELECT delivery, message, registration, expires_at FROM inbox WHERE delivery > ? ORDER BY delivery LIMIT ?
            """, id.value, limit
        ) { (id: $0.integer(0), message: $0.integer(1), registration: $0.integer(2), expiresAt: $0.integer(3)) }
        var ended: [FinishedDelivery] = []
        for row in rows where row.expiresAt <= time.milliseconds {
            ended += try end(
                [(row.id, row.message)], of: RegistrationID(value: row.registration), .expired, time: time)
        }
        return (ended, rows.count < limit ? nil : rows.last.map { DeliveryID(value: $0.id) })
    }
}
