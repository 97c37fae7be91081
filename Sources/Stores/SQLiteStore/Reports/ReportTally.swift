import PushCore
import PushModel
import Timekeeping

/// What one transaction counts for reports, so that each count is written once.
///
/// Counting adds to a list, which is summed up when it is written: a job that is undone takes its end of the list away,
/// and most counts are those of the delivery before.
struct ReportTally {
    struct Place: Hashable {
        var project: UInt64
        /// Of the message's acceptance: whole days since 1970, UTC.
        var day: Int64
        var pacificDay: Int64?
        /// Numbers of texts; 0 for none.
        var app, label: Int64
        var campaign: Int64
    }

    /// What is counted.
    private enum Subject: Hashable {
        case report(Place, ReportMeasure)
        case message(Int64, ReportMeasure)
        case messageBytes(project: UInt64)
        case joined(topic: Int64)
        case left(topic: Int64)
    }

    private struct Count {
        var subject: Subject
        var number: Int64
    }

    /// A delivery counts up to so many subjects.
    private static let recent = 4

    private var counts: [Count] = []
    /// Counts before this one are those of earlier jobs.
    private var start = 0

    mutating func count(_ measure: ReportMeasure, at place: Place, by number: Int64 = 1) {
        add(number, to: .report(place, measure))
    }

    mutating func count(_ measure: ReportMeasure, ofMessage message: Int64) {
        add(1, to: .message(message, measure))
    }

    mutating func addMessage(of project: UInt64, bytes: Int) {
        add(Int64(bytes), to: .messageBytes(project: project))
    }

    mutating func countMembers(_ change: Int, of topic: Int64) {
        if change > 0 {
            add(Int64(change), to: .joined(topic: topic))
        } else {
            add(-Int64(change), to: .left(topic: topic))
        }
    }

    private mutating func add(_ number: Int64, to subject: Subject) {
        for place in counts.indices.suffix(Self.recent).reversed() where place >= start {
            guard counts[place].subject == subject else { continue }
            counts[place].number += number
            return
        }
        counts.append(Count(subject: subject, number: number))
    }

    // MARK: Jobs

    /// From here on counts are those of another job.
    mutating func beginJob() {
        start = counts.count
    }

    /// Takes back what was counted since the job began.
    mutating func undoJob() {
        counts.removeSubrange(start...)
    }

    mutating func removeAll() {
        counts.removeAll(keepingCapacity: counts.capacity <= 4096)
        start = 0
    }

    // MARK: Writing

    /// - Parameter today: Whole days since 1970, UTC.
    func write(to connection: Connection, today: Int64) throws(StoreError) {
        var sums: [Subject: Int64] = [:]
        for count in counts { sums[count.subject, default: 0] += count.number }
        for (subject, sum) in sums { try write(sum, of: subject, to: connection, today: today) }
    }

    private func write(
        _ sum: Int64, of subject: Subject, to connection: Connection, today: Int64
    ) throws(StoreError) {
        switch subject {
        case .report(let place, let measure):
            try write(sum, of: measure, at: place, calendar: .utc, day: place.day, to: connection)
            guard let day = place.pacificDay else { return }
            try write(sum, of: measure, at: place, calendar: .pacific, day: day, to: connection)
        case .message(let message, let measure):
            try connection.change(
                """
                INSERT INTO message_counts (message, measure, count) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """, message, measure.code, sum)
        case .messageBytes(let project):
            try connection.change(
                """
                INSERT INTO message_bytes (project, bytes) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes
                """, project, sum)
        case .joined(let topic): try write(joined: sum, left: 0, of: topic, to: connection, today: today)
        case .left(let topic): try write(joined: 0, left: sum, of: topic, to: connection, today: today)
        }
    }

    private func write(
        joined: Int64, left: Int64, of topic: Int64, to connection: Connection, today: Int64
    ) throws(StoreError) {
        try connection.change(
            """
            INSERT INTO topic_days (topic, day, joined, left) SELECT ?, ?, ?, ? FROM topics WHERE id = ?
            ON CONFLICT DO UPDATE SET joined = joined + excluded.joined, left = left + excluded.left
            """, topic, today, joined, left, topic)
    }

    private func write(
        _ sum: Int64, of measure: ReportMeasure, at place: Place, calendar: ReportCalendar, day: Int64,
        to connection: Connection
    ) throws(StoreError) {
        try connection.change(
            """
            INSERT INTO report_counts (project, calendar, day, app, label, campaign, measure, count)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count
            """, place.project, calendar.rawValue, day, place.app, place.label, place.campaign, measure.code, sum)
    }
}

/// By which days something is counted.
enum ReportCalendar: Int64 {
    case utc = 0
    case pacific = 1
}
