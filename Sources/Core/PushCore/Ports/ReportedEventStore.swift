public import PushModel
public import Timekeeping

/// What apps reported of messages, for reports and exports.
public protocol ReportedEventStore: Sendable {
    /// Keeps the events. Durable when it returns. One event of a kind is kept for a message and an app instance:
    /// devices repeat what they are not sure about.
    /// - Returns: Those that are new, in order.
    func keepReports(_ events: [ReportedEvent], receivedAt time: Timestamp) async throws(StoreError) -> [ReportedEvent]

    /// The events of a project after an id, in order of reception.
    func reports(of project: ProjectNumber, after id: Int64, limit: Int) throws(StoreError) -> [StoredReport]
}
