public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: ReportedEventStore {
    public func keepReports(
        _ events: [ReportedEvent], receivedAt time: Timestamp
    ) async throws(StoreError) -> [ReportedEvent] {
        guard !events.isEmpty else { return [] }
        return try await writer.write { (context) throws(StoreError) in
            try context.dropOldReports(at: time)
            return try context.keepReports(events, receivedAt: time)
        }
    }

    public func reports(
        of project: ProjectNumber, after id: Int64, limit: Int
    ) throws(StoreError) -> [StoredReport] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT id, kind, message, instance, message_type, platform, app, topic, label, campaign, composer,
                    occurred_at, received_at
                FROM reported_events WHERE project = ? AND id > ? ORDER BY id LIMIT ?
                """, project.value, id, limit
            ) { (row) throws(StoreError) in try row.report(of: project) }
        }
    }
}

extension Row {
    func report(of project: ProjectNumber) throws(StoreError) -> StoredReport {
        guard let kind = ReportedEvent.Kind(rawValue: integer(1)) else { throw .damaged("a reported event") }
        let event = ReportedEvent(
            kind, project: project, messageID: text(2), instanceID: text(3),
            messageType: ReportedEvent.MessageType(rawValue: integer(4)) ?? .unknown,
            platform: ReportedEvent.Platform(rawValue: integer(5)) ?? .unknown, appName: text(6),
            topic: optionalText(7), analyticsLabel: optionalText(8), campaignID: isNull(9) ? nil : integer(9),
            composerLabel: optionalText(10), occurredAt: Timestamp(milliseconds: integer(11)))
        return StoredReport(id: integer(0), event: event, receivedAt: Timestamp(milliseconds: integer(12)))
    }

    private func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}
