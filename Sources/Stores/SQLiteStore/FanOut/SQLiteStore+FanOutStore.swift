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

    public func liveRegistrations(_ ids: [RegistrationID]) throws(StoreError) -> [Registration] {
        try registrations.registrations(ids) { (unknown) throws(StoreError) in
            try readers.read { (connection) throws(StoreError) in
                try connection.readingOneState { () throws(StoreError) in
                    let reader = RegistrationReader(connection: connection, texts: texts)
                    var found: [Registration] = []
                    found.reserveCapacity(unknown.count)
                    for id in unknown {
                        if let registration = try reader.registration(id) { found.append(registration) }
                    }
                    return found
                }
            }
        }.filter { $0.ending == nil }
    }
}
