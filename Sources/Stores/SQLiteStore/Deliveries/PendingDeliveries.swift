import PushCore
import PushModel
import Timekeeping

/// Reads the queue in order of acceptance.
struct PendingDeliveries {
    /// A row of the queue, with the delivery that it stands for unless something that belongs to it is gone.
    struct Entry {
        var id: Int64
        var message: Int64
        var project: UInt64
        var registration: Int64
        var delivery: QueuedDelivery?
    }

    private let texts: TextCache
    private let registrations: RegistrationCache
    private let directory: DirectorySnapshot
    /// The deliveries of a message follow one another.
    private var lastMessage: (id: Int64, project: UInt64, message: ValidatedMessage?)?

    init(registrations: RegistrationCache, texts: TextCache, directory: DirectorySnapshot) {
        self.registrations = registrations
        self.texts = texts
        self.directory = directory
    }

    mutating func page(after id: Int64, limit: Int, on connection: Connection) throws(StoreError) -> [Entry] {
        let rows = try connection.all(
            "SELECT id, message, registration FROM deliveries WHERE id > ? ORDER BY id LIMIT ?", id, limit
        ) { (id: $0.integer(0), message: $0.integer(1), registration: $0.integer(2)) }
        let reader = RegistrationReader(connection: connection, texts: texts)
        var entries: [Entry] = []
        entries.reserveCapacity(rows.count)
        for row in rows {
            let (project, message) = try message(row.message, on: connection)
            var entry = Entry(id: row.id, message: row.message, project: project, registration: row.registration)
            let id = RegistrationID(value: row.registration)
            let recipient = try registrations.registration(id) { () throws(StoreError) in try reader.registration(id) }
            if let message, let recipient {
                entry.delivery = QueuedDelivery(id: DeliveryID(value: row.id), message: message, recipient: recipient)
            }
            entries.append(entry)
        }
        return entries
    }

    /// The outcome of a delivery that can never be made, so that it does not come up at each start.
    func lost(_ entry: Entry, at time: Timestamp) -> FinishedDelivery? {
        guard entry.delivery == nil else { return nil }
        return FinishedDelivery(
            id: DeliveryID(value: entry.id), message: MessageID(value: entry.message),
            project: ProjectNumber(value: entry.project), registration: RegistrationID(value: entry.registration),
            outcome: .failed(SendError(.internalError, "The message, its project or its registration is gone.")),
            time: time)
    }

    private mutating func message(
        _ id: Int64, on connection: Connection
    ) throws(StoreError) -> (project: UInt64, message: ValidatedMessage?) {
        if let lastMessage, lastMessage.id == id { return (lastMessage.project, lastMessage.message) }
        let stored = try connection.first(
            "SELECT project, accepted_at, expires_at, content FROM messages WHERE id = ?", id
        ) { StoredMessage($0) }
        let message = stored.flatMap { $0.validated(id: id, in: directory) }
        lastMessage = (id, stored?.project ?? 0, message)
        return (stored?.project ?? 0, message)
    }
}
