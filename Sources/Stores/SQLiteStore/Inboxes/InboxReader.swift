import PushCore
import PushModel
import Timekeeping

/// Reads entries of inboxes on one connection. The content of a message that goes to several registrations of a device
/// is read once.
struct InboxReader {
    fileprivate struct Stored {
        var id, message, registration, expiresAt: Int64
        var dropped: Int?

        init(_ row: Row) {
            id = row.integer(0)
            message = row.integer(1)
            registration = row.integer(2)
            expiresAt = row.integer(3)
            dropped = row.isNull(4) ? nil : Int(row.integer(4))
        }
    }

    let connection: Connection
    let texts: TextCache
    let registrations: RegistrationCache
    let messages: MessageCache
    let directory: DirectorySnapshot

    func entries(of device: UInt64, after id: DeliveryID, limit: Int) throws(StoreError) -> Found {
        let number = try InboxNumber(of: device, on: connection)
        return try found(
            try connection.all(
                """
                SELECT delivery, message, registration, expires_at, dropped FROM inbox
                WHERE device = ? AND delivery > ? ORDER BY delivery LIMIT ?
                """, number, id.value, limit, read: { Stored($0) }))
    }

    func entries(_ ids: [DeliveryID], of device: UInt64) throws(StoreError) -> Found {
        let number = try InboxNumber(of: device, on: connection)
        var rows: [Stored] = []
        for id in ids {
            let row = try connection.first(
                """
                SELECT delivery, message, registration, expires_at, dropped FROM inbox
                WHERE delivery = ? AND device = ?
                """, id.value, number, read: { Stored($0) })
            if let row { rows.append(row) }
        }
        return try found(rows)
    }

    /// What was found, and rows that stand for nothing any more: their message or registration is gone.
    struct Found {
        var entries: [InboxEntry] = []
        var lost: [FinishedDelivery] = []
        /// How many rows were read, and the last of them.
        var rows = 0
        var last: DeliveryID?
    }

    private struct Content {
        var project: UInt64
        var message: ValidatedMessage?
    }

    private func found(_ rows: [Stored]) throws(StoreError) -> Found {
        let reader = RegistrationReader(connection: connection, texts: texts)
        var found = Found(rows: rows.count, last: rows.last.map { DeliveryID(value: $0.id) })
        var last: (id: Int64, content: Content?)?
        for row in rows {
            let id = RegistrationID(value: row.registration)
            let recipient = try registrations.registration(id) { () throws(StoreError) in try reader.registration(id) }
            if last?.id != row.message { last = (row.message, try content(ofMessage: row.message)) }
            guard let recipient, let content = content(of: row, last?.content?.message) else {
                found.add(lost: row, of: last?.content?.project ?? 0)
                continue
            }
            found.entries.append(
                InboxEntry(
                    id: DeliveryID(value: row.id), content: content, recipient: recipient,
                    expiresAt: Timestamp(milliseconds: row.expiresAt)))
        }
        return found
    }

    private func content(of row: Stored, _ message: ValidatedMessage?) -> InboxEntry.Content? {
        if let dropped = row.dropped { return .dropped(count: dropped) }
        return message.map { .message($0) }
    }

    private func content(ofMessage id: Int64) throws(StoreError) -> Content? {
        guard id != 0 else { return nil }
        if let known = messages.message(id) {
            return Content(project: known.project.value, message: known.validated(id: id, in: directory))
        }
        let stored = try connection.first(
            "SELECT project, accepted_at, expires_at, content FROM messages WHERE id = ?", id
        ) { StoredMessage($0) }
        guard let stored else { return nil }
        let read = stored.read
        if let read { messages.remember(read, as: id) }
        return Content(project: stored.project, message: read?.validated(id: id, in: directory))
    }
}

extension InboxReader.Found {
    fileprivate mutating func add(lost row: InboxReader.Stored, of project: UInt64) {
        // A note without its registration goes when it expires.
        guard row.dropped == nil else { return }
        lost.append(
            FinishedDelivery(
                id: DeliveryID(value: row.id), message: MessageID(value: row.message),
                project: ProjectNumber(value: project), registration: RegistrationID(value: row.registration),
                outcome: .failed(SendError(.internalError, "The message, its project or its registration is gone.")),
                time: Timestamp(milliseconds: 0)))
    }
}
