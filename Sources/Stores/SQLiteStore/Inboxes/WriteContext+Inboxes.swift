import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// Stores a delivery in an inbox, and makes room for it.
    ///
    /// - Parameters:
    ///   - record: Gets the deliveries that gave way.
    ///   - filling: Gets the row; `write` brings it into the table.
    func addToInbox(
        _ message: MessageID, _ recipient: RegistrationID, at place: InboxPlace, time: Timestamp,
        in record: inout OutcomeRecord, _ filling: inout InboxFilling
    ) throws(StoreError) -> AcceptedDelivery {
        let device = try inboxNumbers.number(of: place.device, on: connection)
        var tail = try tail(of: device, isConnected: place.isConnected, behind: &filling)
        // What is now or never takes no place from others when the device is away: it will never be there.
        if tail.rows > 0, place.isConnected || place.expiresAt > time {
            let ended = record.recorded.count
            try makeRoom(for: recipient, of: device, at: place, after: tail, time: time, in: &record, &filling)
            if record.recorded.count > ended { tail = try self.tail(of: device) }
        }
        let delivery = try nextDelivery(to: recipient)
        filling.add(
            InboxFilling.Row(
                delivery: delivery, device: device, message: message, registration: recipient, place: place))
        if filling.isFull { try write(&filling) }
        return AcceptedDelivery(id: DeliveryID(value: delivery), previousInInbox: tail.last)
    }

    /// What the index of a device's inbox tells.
    private struct InboxTail {
        /// At most `InboxLimits.waitingMessages`; for a connected device, at most 1.
        var rows: Int
        var last: DeliveryID?
    }

    private func tail(
        of device: InboxNumber, isConnected: Bool, behind filling: inout InboxFilling
    ) throws(StoreError) -> InboxTail {
        if filling.isEmpty(device) { return InboxTail(rows: 0, last: nil) }
        if filling.mayHold(device) { try write(&filling) }
        let tail = try isConnected ? shortTail(of: device) : tail(of: device)
        if tail.rows == 0 {
            let next = try connection.first("SELECT min(device) FROM inbox WHERE device > ?", device) { row in
                row.isNull(0) ? nil : row.integer(0)
            }
            filling.noteEmpty(device, before: next ?? nil)
        }
        return tail
    }

    /// For a device for which no number of waiting messages is too large.
    private func shortTail(of device: InboxNumber) throws(StoreError) -> InboxTail {
        let last = try connection.first("SELECT max(delivery) FROM inbox WHERE device = ?", device) { row in
            row.isNull(0) ? nil : DeliveryID(value: row.integer(0))
        }
        guard let last = last ?? nil else { return InboxTail(rows: 0, last: nil) }
        return InboxTail(rows: 1, last: last)
    }

    private func tail(of device: InboxNumber) throws(StoreError) -> InboxTail {
        let found = try connection.first(
            """
            SELECT count(*), max(delivery) FROM
                (SELECT delivery FROM inbox WHERE device = ? ORDER BY delivery DESC LIMIT ?)
            """, device, InboxLimits.waitingMessages
        ) { row in
            InboxTail(rows: Int(row.integer(0)), last: row.isNull(1) ? nil : DeliveryID(value: row.integer(1)))
        }
        return found ?? InboxTail(rows: 0, last: nil)
    }

    // MARK: Making room

    private func makeRoom(
        for recipient: RegistrationID, of device: InboxNumber, at place: InboxPlace, after tail: InboxTail,
        time: Timestamp, in record: inout OutcomeRecord, _ filling: inout InboxFilling
    ) throws(StoreError) {
        if let key = place.collapseKey {
            try write(&filling)
            try supersede(key, of: recipient, at: device, time: time, in: &record)
        } else if !place.isConnected, tail.rows >= InboxLimits.waitingMessages {
            try write(&filling)
            try emptyFullInbox(of: recipient, at: device, time: time, in: &record)
        }
    }

    /// Ends the waiting message of the same key; and the oldest of another, when the app has as many keys as it may.
    private func supersede(
        _ key: String, of recipient: RegistrationID, at device: InboxNumber, time: Timestamp,
        in record: inout OutcomeRecord
    ) throws(StoreError) {
        let waiting = try connection.all(
            """
            SELECT delivery, message, collapse_key FROM inbox
            WHERE device = ? AND registration = ? AND collapse_key IS NOT NULL ORDER BY delivery
            """, device, recipient.value
        ) { (id: $0.integer(0), message: $0.integer(1), key: $0.text(2)) }
        let others = waiting.filter { $0.key != key }
        let surplus = max(0, others.count - InboxLimits.collapseKeys + 1)
        let leaving = waiting.filter { $0.key == key } + others.prefix(surplus)
        try end(leaving.map { ($0.id, $0.message) }, of: recipient, .superseded, time: time, in: &record)
    }

    /// When as many messages wait as may, all are dropped and the device is told how many.
    private func emptyFullInbox(
        of recipient: RegistrationID, at device: InboxNumber, time: Timestamp, in record: inout OutcomeRecord
    ) throws(StoreError) {
        let waiting = try connection.all(
            """
            SELECT delivery, message FROM inbox
            WHERE device = ? AND registration = ? AND collapse_key IS NULL AND dropped IS NULL AND expires_at > ?
            """, device, recipient.value, time.milliseconds
        ) { (id: $0.integer(0), message: $0.integer(1)) }
        guard waiting.count >= InboxLimits.waitingMessages else { return }
        try end(waiting, of: recipient, .discarded, time: time, in: &record)
        try noteDropped(waiting.count, of: recipient, at: device, time: time)
    }

    /// Leaves one note for the registration, after whatever waits for it.
    private func noteDropped(
        _ count: Int, of recipient: RegistrationID, at device: InboxNumber, time: Timestamp
    ) throws(StoreError) {
        let earlier = try connection.integer(
            "SELECT sum(dropped) FROM inbox WHERE registration = ? AND device = ? AND dropped IS NOT NULL",
            recipient.value, device)
        try connection.change(
            "DELETE FROM inbox WHERE registration = ? AND device = ? AND dropped IS NOT NULL", recipient.value, device)
        try connection.change(
            """
            INSERT INTO inbox (delivery, device, message, registration, expires_at, dropped, may_return)
            VALUES (?, ?, 0, ?, ?, ?, 0)
            """, try nextDelivery(to: recipient), device, recipient.value,
            time.adding(seconds: InboxLimits.noteLifetimeSeconds).milliseconds, earlier + Int64(count))
    }

    private func end(
        _ rows: [(id: Int64, message: Int64)], of recipient: RegistrationID, _ outcome: DeliveryOutcome,
        time: Timestamp, in record: inout OutcomeRecord
    ) throws(StoreError) {
        for row in rows where try connection.change("DELETE FROM inbox WHERE delivery = ?", row.id) > 0 {
            let project = try project(ofMessage: row.message, in: &record)
            try write(
                FinishedDelivery(
                    id: DeliveryID(value: row.id), message: MessageID(value: row.message), project: project,
                    registration: recipient, outcome: outcome, time: time), in: &record)
        }
    }

    private func project(
        ofMessage id: Int64, in record: inout OutcomeRecord
    ) throws(StoreError) -> ProjectNumber {
        if let last = record.lastProject, last.message == id { return last.project }
        let number = try connection.integer("SELECT project FROM messages WHERE id = ?", id)
        let project = ProjectNumber(value: UInt64(bitPattern: number))
        record.lastProject = (id, project)
        return project
    }

    // MARK: Ends

    /// Takes entries out of inboxes. Those that are not there any more are left alone.
    func settle(_ inboxes: [InboxSettlements]) throws(StoreError) -> SettledInbox {
        var settled = SettledInbox()
        var receipts: [DeliveryID: UpstreamDraft] = [:]
        var finished: [FinishedDelivery] = []
        var devices: [InboxNumber] = []
        for inbox in inboxes {
            let device = try inboxNumbers.number(of: inbox.device, on: connection)
            for settlement in inbox.entries {
                guard settlement.finished.message.value != 0 else {
                    _ = try remove(settlement.finished.id, of: device)
                    continue
                }
                finished.append(settlement.finished)
                devices.append(device)
                if let receipt = settlement.receipt { receipts[settlement.finished.id] = receipt }
            }
        }
        var place = 0
        settled.ended = try record(finished) { (finished) throws(StoreError) in
            defer { place += 1 }
            return try remove(finished.id, of: devices[place])
        }
        if !receipts.isEmpty {
            for finished in settled.ended {
                guard let receipt = receipts.removeValue(forKey: finished.id) else { continue }
                settled.receipts.append(try addUpstream(receipt, from: nil))
            }
        }
        return settled
    }

    /// - Returns: Whether it was there.
    private func remove(_ id: DeliveryID, of device: InboxNumber) throws(StoreError) -> Bool {
        try connection.change("DELETE FROM inbox WHERE delivery = ? AND device = ?", id.value, device) > 0
    }

    /// Drops everything that waits for a device. What had expired by then is not counted as dropped.
    func discardInbox(of device: UInt64, at time: Timestamp) throws(StoreError) -> [FinishedDelivery] {
        let device = try InboxNumber(of: device, on: connection)
        let rows = try connection.all(
            """
            SELECT delivery, message, registration, expires_at > ? FROM inbox
            WHERE device = ? AND dropped IS NULL ORDER BY delivery
            """, time.milliseconds, device
        ) { (id: $0.integer(0), message: $0.integer(1), registration: $0.integer(2), isAlive: $0.integer(3) != 0) }
        var record = OutcomeRecord()
        for (registration, rows) in Dictionary(grouping: rows, by: \.registration).sorted(by: { $0.key < $1.key }) {
            let recipient = RegistrationID(value: registration)
            let alive = rows.filter(\.isAlive).map { ($0.id, $0.message) }
            let over = rows.filter { !$0.isAlive }.map { ($0.id, $0.message) }
            try end(over, of: recipient, .expired, time: time, in: &record)
            try end(alive, of: recipient, .discarded, time: time, in: &record)
            if !alive.isEmpty { try noteDropped(alive.count, of: recipient, at: device, time: time) }
        }
        try close(record)
        return record.recorded
    }

    /// Ends what waits for a registration that was deleted: whoever registers again under its key gets none of it.
    func endInbox(of recipient: RegistrationID, at device: UInt64, time: Timestamp) throws(StoreError) {
        let device = try InboxNumber(of: device, on: connection)
        let rows = try connection.all(
            "SELECT delivery, message FROM inbox WHERE device = ? AND registration = ? AND dropped IS NULL", device,
            recipient.value
        ) { ($0.integer(0), $0.integer(1)) }
        var record = OutcomeRecord()
        try end(rows, of: recipient, .failed(.unregistered), time: time, in: &record)
        try close(record)
        try connection.change(
            "DELETE FROM inbox WHERE device = ? AND registration = ?", device, recipient.value)
    }

    /// Ends entries whose time is over.
    func expire(_ rows: [ExpiredInboxRow], at time: Timestamp) throws(StoreError) -> [FinishedDelivery] {
        var record = OutcomeRecord()
        for row in rows {
            if row.isNote {
                try connection.change("DELETE FROM inbox WHERE delivery = ? AND dropped IS NOT NULL", row.id)
            } else {
                try end(
                    [(row.id, row.message)], of: RegistrationID(value: row.registration), .expired, time: time,
                    in: &record)
            }
        }
        try close(record)
        return record.recorded
    }

    // MARK: Returning

    /// Moves what APNs may bring instead into the queue of the gateways, under the same numbers.
    /// - Returns: The numbers.
    func returnToGateway(device: UInt64, registration: RegistrationID?) throws(StoreError) -> [DeliveryID] {
        let device = try InboxNumber(of: device, on: connection)
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
        do {
            try connection.change(
                """
                INSERT INTO deliveries SELECT delivery, message, registration FROM inbox
                WHERE may_return = 1 AND dropped IS NULL
                """)
            try connection.change("DELETE FROM inbox WHERE may_return = 1 AND dropped IS NULL")
            try connection.execute("COMMIT")
        } catch {
            undo()
            throw error
        }
    }
}
