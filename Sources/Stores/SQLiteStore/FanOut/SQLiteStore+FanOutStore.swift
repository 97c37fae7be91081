public import PushCore
public import PushModel
import Timekeeping

extension SQLiteStore: FanOutStore {
    public func acceptFanOut(_ message: ValidatedMessage) async throws(StoreError) {
        let content = MessageArchive.encode(message.message, target: message.target)
        try await writer.write(needsSavepoint: false) { (context) throws(StoreError) in
            try context.acceptFanOut(message, content: content)
        }
    }

    public func openFanOuts() throws(StoreError) -> [OpenFanOut] {
        let directory = directory.current
        let rows = try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT f.message, f.cursor, m.project, m.accepted_at, m.expires_at, m.content
                FROM fan_outs f JOIN messages m ON m.id = f.message
                WHERE f.is_done = 0 AND f.is_split = 0 ORDER BY f.message
                """
            ) { (id: $0.integer(0), cursor: $0.integer(1), message: StoredMessage($0, from: 2)) }
        }
        return rows.compactMap { row in
            row.message.validated(id: row.id, in: directory).map { message in
                OpenFanOut(message: message, cursor: row.cursor == 0 ? nil : RegistrationID(value: row.cursor))
            }
        }
    }

    public func extendFanOut(
        _ message: MessageID, by chunk: FanOutChunk, deliveries: [PlannedDelivery]
    ) async throws(StoreError) -> Acceptance? {
        let now = clock.now()
        return try await writer.write { (context) throws(StoreError) in
            try context.extendFanOut(message, by: chunk, deliveries: deliveries, at: now)
        }
    }

    public func fanOutProgress(_ message: MessageID) throws(StoreError) -> FanOutProgress? {
        try readers.read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT project, members, accepted, failed, expired, is_split FROM fan_outs WHERE message = ?
                """, message.value
            ) { row in
                FanOutProgress(
                    message: message, project: ProjectNumber(value: UInt64(bitPattern: row.integer(0))),
                    members: Int(row.integer(1)), accepted: Int(row.integer(2)), failed: Int(row.integer(3)),
                    expired: Int(row.integer(4)), isSplit: row.integer(5) != 0)
            }
        }
    }

    public func liveRegistrations(_ ids: [RegistrationID]) throws(StoreError) -> [Registration] {
        try readers.read { (connection) throws(StoreError) in
            let reader = RegistrationReader(connection: connection, texts: texts)
            var found: [Registration] = []
            found.reserveCapacity(ids.count)
            for id in ids {
                if let registration = try reader.registration(id), registration.ending == nil {
                    found.append(registration)
                }
            }
            return found
        }
    }
}
