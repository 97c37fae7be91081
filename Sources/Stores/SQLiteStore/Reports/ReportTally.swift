import PushCore
import PushModel
import Timekeeping

/// What one transaction counts for reports, so that each count is written once.
struct ReportTally {
    struct Place: Hashable {
        var project: UInt64
        /// Of the message's acceptance: milliseconds since 1970.
        var day: Int64
        var pacificDay: Int64?
        /// Numbers of texts; 0 for none.
        var app, label: Int64
        var campaign: Int64
    }

    private struct Key: Hashable {
        var place: Place
        var measure: ReportMeasure
    }

    private struct MessageKey: Hashable {
        var message: Int64
        var measure: ReportMeasure
    }

    private var counts: [Key: Int64] = [:]
    private var messageCounts: [MessageKey: Int64] = [:]
    private(set) var messageBytes: [UInt64: Int64] = [:]
    private var topics: [Int64: (joined: Int64, left: Int64)] = [:]

    mutating func count(_ measure: ReportMeasure, at place: Place, by number: Int64 = 1) {
        counts[Key(place: place, measure: measure), default: 0] += number
    }

    mutating func count(_ measure: ReportMeasure, ofMessage message: Int64) {
        messageCounts[MessageKey(message: message, measure: measure), default: 0] += 1
    }

    mutating func addMessage(of project: UInt64, bytes: Int) {
        messageBytes[project, default: 0] += Int64(bytes)
    }

    mutating func countMembers(_ change: Int, of topic: Int64) {
        var counted = topics[topic] ?? (0, 0)
        if change > 0 { counted.joined += Int64(change) } else { counted.left -= Int64(change) }
        topics[topic] = counted
    }

    /// - Parameter today: Whole days since 1970, UTC.
    func write(to connection: Connection, today: Int64) throws(StoreError) {
        for (key, count) in counts {
            try write(key, calendar: .utc, day: key.place.day, count, to: connection)
            if let day = key.place.pacificDay { try write(key, calendar: .pacific, day: day, count, to: connection) }
        }
        for (key, count) in messageCounts {
            try connection.change(
                """
                INSERT INTO message_counts (message, measure, count) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """, key.message, key.measure.code, count)
        }
        for (project, bytes) in messageBytes {
            try connection.change(
                """
                INSERT INTO message_bytes (project, bytes) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes
                """, project, bytes)
        }
        for (topic, change) in topics {
            try connection.change(
                """
                INSERT INTO topic_days (topic, day, joined, left) SELECT ?, ?, ?, ? FROM topics WHERE id = ?
                ON CONFLICT DO UPDATE SET joined = joined + excluded.joined, left = left + excluded.left
                """, topic, today, change.joined, change.left, topic)
        }
    }

    private func write(
        _ key: Key, calendar: ReportCalendar, day: Int64, _ count: Int64, to connection: Connection
    ) throws(StoreError) {
        try connection.change(
            """
            INSERT INTO report_counts (project, calendar, day, app, label, campaign, measure, count)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count
            """, key.place.project, calendar.rawValue, day, key.place.app, key.place.label, key.place.campaign,
            key.measure.code, count)
    }
}

/// By which days something is counted.
enum ReportCalendar: Int64 {
    case utc = 0
    case pacific = 1
}
