public import PushCore
public import PushModel
public import Reports
import Timekeeping

extension SQLiteStore: InspectionStore {
    public func messages(_ query: MessageQuery) throws(StoreError) -> MessagePage {
        try inspecting { (reader) throws(StoreError) in
            if case .registrations(let registrations) = query.filter {
                return try reader.messages(to: Set(registrations), query)
            }
            let ids = try reader.ids(query)
            var messages: [InspectedMessage] = []
            for id in ids {
                if let message = try reader.message(id) { messages.append(message) }
            }
            return MessagePage(
                messages: messages,
                next: ids.count == query.limit ? ids.last.map { .before(MessageID(value: $0)) } : nil)
        }
    }

    public func inspectedMessage(_ id: MessageID) throws(StoreError) -> InspectedMessage? {
        try inspecting { (reader) throws(StoreError) in try reader.message(id.value) }
    }

    public func keep(_ tries: [DeliveryTry]) {
        // Owned by nobody: what cannot be kept is forgotten.
        Task {
            try? await writer.write(needsSavepoint: false) { (context) throws(StoreError) in try context.add(tries) }
        }
    }

    func inspecting<Result>(
        _ body: (InspectionReader) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                try body(InspectionReader(store: self, connection: connection))
            }
        }
    }
}

extension SQLiteStore {
    func registrationIfAny(_ id: Int64) throws(StoreError) -> Registration? {
        try registration(RegistrationID(value: id))
    }
}

/// Reads what the inspector shows, in one state of the database.
struct InspectionReader {
    /// Blocks of deliveries that one page of a device's messages looks at: two million deliveries.
    static let blocksExamined = 512

    let store: SQLiteStore
    let connection: Connection

    // MARK: Lists

    func ids(_ query: MessageQuery) throws(StoreError) -> [Int64] {
        let (from, to) = bounds(query)
        let project = query.project.value
        switch query.filter {
        case .all:
            return try connection.all(
                "SELECT id FROM messages WHERE project = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?", project,
                from, to, query.limit
            ) { $0.integer(0) }
        case .label(let label):
            guard let number = try number(of: label) else { return [] }
            return try connection.all(
                """
                SELECT id FROM messages WHERE project = ? AND label = ? AND label <> 0 AND id >= ? AND id < ?
                ORDER BY id DESC LIMIT ?
                """, project, number, from, to, query.limit
            ) { $0.integer(0) }
        case .campaign(let campaign):
            return try connection.all(
                """
                SELECT id FROM messages WHERE project = ? AND campaign = ? AND campaign <> 0 AND id >= ? AND id < ?
                ORDER BY id DESC LIMIT ?
                """, project, campaign, from, to, query.limit
            ) { $0.integer(0) }
        case .topic(let topic):
            return try connection.all(
                """
                SELECT message FROM message_topics WHERE project = ? AND topic = ? AND message >= ? AND message < ?
                ORDER BY message DESC LIMIT ?
                """, project, topic, from, to, query.limit
            ) { $0.integer(0) }
        case .registrations: return []
        }
    }

    private func number(of text: String) throws(StoreError) -> Int64? {
        try connection.first("SELECT id FROM texts WHERE text = ?", text) { $0.integer(0) }
    }

    /// Ids of messages are the microseconds of their acceptance.
    private func bounds(_ query: MessageQuery) -> (from: Int64, to: Int64) {
        let from = query.from.map { $0.milliseconds.multipliedReportingOverflow(by: 1000) }
        var to = query.to.map { $0.milliseconds.multipliedReportingOverflow(by: 1000) }
        if case .before(let id)? = query.place {
            to = (min(id.value, to.flatMap { $0.overflow ? nil : $0.partialValue } ?? .max), false)
        }
        return (
            from.flatMap { $0.overflow ? nil : $0.partialValue } ?? 0,
            to.flatMap { $0.overflow ? nil : $0.partialValue } ?? .max
        )
    }

    // MARK: One message

    func message(_ id: Int64) throws(StoreError) -> InspectedMessage? {
        let stored = try connection.first(
            "SELECT project, accepted_at, expires_at, content FROM messages WHERE id = ?", id
        ) { StoredMessage($0) }
        guard let read = stored?.read else { return nil }
        let id = MessageID(value: id)
        return InspectedMessage(
            id: id, project: read.project, message: read.message, target: read.target, acceptedAt: read.acceptedAt,
            expiresAt: read.expiresAt,
            progress: try MessageProgressReader(message: id, connection: connection).progress()
                ?? MessageProgress(message: id, project: read.project),
            reports: try reports(of: id))
    }

    private func reports(of message: MessageID) throws(StoreError) -> ReportCounts {
        var counts = ReportCounts()
        let rows = try connection.all(
            "SELECT measure, count FROM message_counts WHERE message = ?", message.value
        ) { (measure: ReportMeasure(code: $0.integer(0)), number: Int($0.integer(1))) }
        for row in rows {
            if let measure = row.measure { counts.add(measure, row.number) }
        }
        return counts
    }
}
