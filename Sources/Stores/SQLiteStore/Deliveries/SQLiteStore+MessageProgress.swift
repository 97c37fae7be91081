public import PushCore
public import PushModel

extension SQLiteStore: MessageProgressStore {
    public func progress(of message: MessageID) throws(StoreError) -> MessageProgress? {
        try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                try MessageProgressReader(message: message, connection: connection).progress()
            }
        }
    }
}

/// Reads how far one message is.
struct MessageProgressReader {
    /// Outcomes are not indexed by message, which every delivery would pay for. A message whose row is gone and was no
    /// fan-out is looked for among the newest deliveries: whoever waits for it asks at once.
    private static let newestDeliveries: Int64 = 10_000

    let message: MessageID
    let connection: Connection

    func progress() throws(StoreError) -> MessageProgress? {
        if let fanOut = try fanOut() { return fanOut }
        if let kept = try kept() { return kept }
        return try finished()
    }

    private func fanOut() throws(StoreError) -> MessageProgress? {
        try connection.first(
            "SELECT project, members, accepted, failed, expired, is_split FROM fan_outs WHERE message = ?",
            message.value
        ) { row in
            MessageProgress(
                message: message, project: project(row.integer(0)), recipients: Int(row.integer(1)),
                accepted: Int(row.integer(2)), failed: Int(row.integer(3)), expired: Int(row.integer(4)),
                isSplit: row.integer(5) != 0)
        }
    }

    /// A message whose row is there.
    private func kept() throws(StoreError) -> MessageProgress? {
        let row = try connection.first(
            "SELECT project, first_delivery, last_delivery FROM messages WHERE id = ?", message.value
        ) { (project: project($0.integer(0)), deliveries: $0.integer(1)...$0.integer(2)) }
        // A fan-out has a count of its own, or is forgotten.
        guard let row, row.deliveries.lowerBound > 0 else { return nil }
        var progress = MessageProgress(message: message, project: row.project, isSplit: true)
        try addOutcomes(in: row.deliveries, to: &progress)
        progress.recipients = try progress.accepted + progress.failed + progress.expired + waiting(in: row.deliveries)
        return progress
    }

    /// Deliveries that wait for a gateway or in an inbox.
    private func waiting(in deliveries: ClosedRange<Int64>) throws(StoreError) -> Int {
        Int(
            try connection.integer(
                """
                SELECT (SELECT count(*) FROM deliveries WHERE id BETWEEN ?1 AND ?2 AND message = ?3)
                    + (SELECT count(*) FROM inbox WHERE delivery BETWEEN ?1 AND ?2 AND message = ?3)
                """, deliveries.lowerBound, deliveries.upperBound, message.value))
    }

    /// A message that is not kept any more, and whose last delivery has ended not long ago.
    private func finished() throws(StoreError) -> MessageProgress? {
        let newest = try connection.integer("SELECT max(id) FROM delivery_events")
        let row = try connection.first(
            "SELECT id, project FROM delivery_events WHERE id > ? AND message = ? ORDER BY id DESC LIMIT 1",
            newest - Self.newestDeliveries, message.value
        ) { (last: $0.integer(0), project: project($0.integer(1))) }
        guard let row else { return nil }
        var progress = MessageProgress(message: message, project: row.project, isSplit: true)
        // The deliveries of a message follow one another.
        let first = row.last - Int64(SendPipeline.maximumMulticastTokens)
        try addOutcomes(in: first...row.last, to: &progress)
        progress.recipients = progress.accepted + progress.failed + progress.expired
        return progress
    }

    private func addOutcomes(
        in deliveries: ClosedRange<Int64>, to progress: inout MessageProgress
    ) throws(StoreError) {
        let counts = try connection.all(
            """
            SELECT outcome, count(*) FROM delivery_events WHERE id BETWEEN ? AND ? AND message = ? GROUP BY outcome
            """, deliveries.lowerBound, deliveries.upperBound, message.value
        ) { (code: OutcomeCode(rawValue: $0.integer(0)), count: Int($0.integer(1))) }
        for (code, count) in counts {
            switch code {
            case .accepted: progress.accepted += count
            case .expired, .superseded, .discarded: progress.expired += count
            default: progress.failed += count
            }
        }
    }

    private func project(_ number: Int64) -> ProjectNumber { ProjectNumber(value: UInt64(bitPattern: number)) }
}
