public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: InboxStore {
    public func inbox(of device: UInt64, after id: DeliveryID, limit: Int) throws(StoreError) -> [InboxEntry] {
        try entries { (reader) throws(StoreError) in try reader.entries(of: device, after: id, limit: limit) }
    }

    public func inboxEntries(_ ids: [DeliveryID], of device: UInt64) throws(StoreError) -> [InboxEntry] {
        try entries { (reader) throws(StoreError) in try reader.entries(ids, of: device) }
    }

    private func entries(
        _ read: (InboxReader) throws(StoreError) -> InboxReader.Found
    ) throws(StoreError) -> [InboxEntry] {
        let directory = directory.current
        let found = try readers.read { (connection) throws(StoreError) in
            try read(
                InboxReader(
                    connection: connection, texts: texts, registrations: registrations, directory: directory))
        }
        let now = clock.now()
        finish(
            found.lost.map { lost in
                var lost = lost
                lost.time = now
                return lost
            })
        return found.entries
    }

    public func settle(
        _ settlements: [InboxSettlement], of device: UInt64
    ) async throws(StoreError) -> [UpstreamMessage] {
        try await writer.write { (context) throws(StoreError) in try context.settle(settlements, of: device) }
    }

    public func discardInbox(of device: UInt64, at time: Timestamp) async throws(StoreError) -> [FinishedDelivery] {
        try await writer.write { (context) throws(StoreError) in try context.discardInbox(of: device, at: time) }
    }

    public func returnToGateway(
        device: UInt64, registration: RegistrationID?
    ) async throws(StoreError) -> [QueuedDelivery] {
        let isEmpty = try readers.read { (connection) throws(StoreError) in
            try connection.integer("SELECT count(*) FROM inbox WHERE device = ? AND may_return = 1", device) == 0
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

    public func sweepInboxes(
        after id: DeliveryID, rows: Int, at time: Timestamp
    ) async throws(StoreError) -> (ended: [FinishedDelivery], next: DeliveryID?) {
        try await writer.write { (context) throws(StoreError) in
            try context.sweepInboxes(after: id, rows: rows, at: time)
        }
    }

    public func lastVisit(of device: UInt64) throws(StoreError) -> Timestamp? {
        try readers.read { (connection) throws(StoreError) in
            try connection.first("SELECT seen_at FROM devices WHERE android_id = ?", device) {
                Timestamp(milliseconds: $0.integer(0))
            }
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
