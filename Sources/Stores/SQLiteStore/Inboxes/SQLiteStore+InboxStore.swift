public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: InboxStore {
    public func inbox(of device: UInt64, after id: DeliveryID, limit: Int) throws(StoreError) -> [InboxEntry] {
        var entries: [InboxEntry] = []
        var last = id
        while entries.count < limit {
            let wanted = limit - entries.count
            let found = try found { (reader) throws(StoreError) in
                try reader.entries(of: device, after: last, limit: wanted)
            }
            entries += found.entries
            guard found.rows == wanted, let lastRow = found.last else { break }
            last = lastRow
        }
        return entries
    }

    public func inboxEntries(_ ids: [DeliveryID], of device: UInt64) throws(StoreError) -> [InboxEntry] {
        try found { (reader) throws(StoreError) in try reader.entries(ids, of: device) }.entries
    }

    /// What is lost gets its outcome, so that it does not come up each time.
    private func found(
        _ read: (InboxReader) throws(StoreError) -> InboxReader.Found
    ) throws(StoreError) -> InboxReader.Found {
        let directory = directory.current
        let found = try readers.read { (connection) throws(StoreError) in
            try read(
                InboxReader(
                    connection: connection, texts: texts, registrations: registrations, messages: messages,
                    directory: directory))
        }
        let now = clock.now()
        finish(
            found.lost.map { lost in
                var lost = lost
                lost.time = now
                return lost
            })
        return found
    }

    public func settle(_ inboxes: [InboxSettlements]) async throws(StoreError) -> SettledInbox {
        try await writer.write { (context) throws(StoreError) in try context.settle(inboxes) }
    }

    public func discardInbox(of device: UInt64, at time: Timestamp) async throws(StoreError) -> [FinishedDelivery] {
        try await writer.write { (context) throws(StoreError) in try context.discardInbox(of: device, at: time) }
    }

    public func returnToGateway(
        device: UInt64, registration: RegistrationID?
    ) async throws(StoreError) -> [QueuedDelivery] {
        let isEmpty = try readers.read { (connection) throws(StoreError) in
            let number = try InboxNumber(of: device, on: connection)
            return try connection.integer("SELECT count(*) FROM inbox WHERE device = ? AND may_return = 1", number) == 0
        }
        if isEmpty { return [] }
        let ids = try await writer.write { (context) throws(StoreError) in
            try context.returnToGateway(device: device, registration: registration)
        }
        var queued: [QueuedDelivery] = []
        for id in ids {
            let next = try pendingDeliveries(after: DeliveryID(value: id.value - 1), limit: 1)
            queued += next.filter { $0.id == id }
        }
        return queued
    }

    /// Rows are looked at beside the writer, which is asked only when some have expired.
    public func sweepInboxes(
        after id: DeliveryID, rows limit: Int, at time: Timestamp
    ) async throws(StoreError) -> (ended: [FinishedDelivery], next: DeliveryID?) {
        let rows = try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT delivery, message, registration, dropped IS NOT NULL, expires_at <= ? FROM inbox
                WHERE delivery > ? ORDER BY delivery LIMIT ?
                """, time.milliseconds, id.value, limit
            ) { row in
                (
                    row: ExpiredInboxRow(
                        id: row.integer(0), message: row.integer(1), registration: row.integer(2),
                        isNote: row.integer(3) != 0), isExpired: row.integer(4) != 0
                )
            }
        }
        let expired = rows.filter(\.isExpired).map(\.row)
        var ended: [FinishedDelivery] = []
        if !expired.isEmpty {
            ended = try await writer.write { (context) throws(StoreError) in try context.expire(expired, at: time) }
        }
        return (ended, rows.count < limit ? nil : rows.last.map { DeliveryID(value: $0.row.id) })
    }

    public func lastConnection(of device: UInt64) throws(StoreError) -> Timestamp? {
        try readers.read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT connected_at FROM devices WHERE android_id = ? AND connected_at IS NOT NULL", device
            ) { Timestamp(milliseconds: $0.integer(0)) }
        }
    }

    public func noteConnection(of device: UInt64, at time: Timestamp) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            try context.noteConnection(androidID: device, at: time)
        }
    }
}

extension SQLiteStore: DeviceRegistrations {
    public func liveRegistrations(ofDevice androidID: UInt64) throws(StoreError) -> [Registration] {
        guard androidID != 0 else { return [] }
        let ids = try readers.read { (connection) throws(StoreError) in
            try connection.all(
                "SELECT id FROM registrations WHERE android_id = ? AND android_id <> 0 AND ending IS NULL", androidID
            ) { RegistrationID(value: $0.integer(0)) }
        }
        var found: [Registration] = []
        for id in ids {
            if let registration = try registration(id) { found.append(registration) }
        }
        return found
    }
}
