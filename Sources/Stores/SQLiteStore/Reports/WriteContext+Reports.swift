import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// How long reports are kept.
    static let reportRetentionMilliseconds: Int64 = 60 * 86_400_000
    /// Old rows that one writing takes away: more than it may add.
    private static let droppedAtOnce = 2_000

    /// - Returns: The events that were not there yet.
    func keepReports(_ events: [ReportedEvent], receivedAt time: Timestamp) throws(StoreError) -> [ReportedEvent] {
        var fresh: [ReportedEvent] = []
        for event in events where try keep(event, receivedAt: time) {
            try count(event, receivedAt: time)
            fresh.append(event)
            if event.kind != .delivered {
                try noteEngagement(fid: event.instanceID, in: event.project, at: event.occurredAt)
            }
        }
        return fresh
    }

    private func keep(_ event: ReportedEvent, receivedAt time: Timestamp) throws(StoreError) -> Bool {
        try connection.change(
            """
            INSERT OR IGNORE INTO reported_events (project, message, instance, kind, occurred_at, received_at,
                message_type, platform, app, topic, label, campaign, composer)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, event.project.value, event.messageID, event.instanceID, event.kind.rawValue,
            event.occurredAt.milliseconds, time.milliseconds, event.messageType.rawValue, event.platform.rawValue,
            event.appName, event.topic, event.analyticsLabel, event.campaignID, event.composerLabel) > 0
    }

    func dropOldReports(at time: Timestamp) throws(StoreError) {
        try connection.change(
            """
            DELETE FROM reported_events WHERE received_at < ?
                AND id IN (SELECT id FROM reported_events ORDER BY id LIMIT ?)
            """, time.adding(milliseconds: -Self.reportRetentionMilliseconds).milliseconds, Self.droppedAtOnce)
    }
}
