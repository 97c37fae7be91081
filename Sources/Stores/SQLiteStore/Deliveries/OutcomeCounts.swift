import PushCore
import PushModel
import Timekeeping

/// Outcomes of one transaction, counted by project, day and kind, so that the table is touched once for each kind.
struct OutcomeCounts {
    private struct Key: Hashable {
        var project: ProjectNumber
        /// Whole days since 1970-01-01, UTC.
        var day: Int64
        var outcome: OutcomeCode
    }

    private static let secondsPerDay: Int64 = 86_400

    private var counts: [Key: Int64] = [:]

    mutating func count(_ finished: FinishedDelivery) {
        let day = finished.time.seconds / Self.secondsPerDay
        let key = Key(project: finished.project, day: day, outcome: OutcomeCode(finished.outcome))
        counts[key, default: 0] += 1
    }

    func add(to connection: Connection) throws(StoreError) {
        for (key, count) in counts {
            try connection.change(
                """
                INSERT INTO delivery_counts (project, day, outcome, count) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """, key.project.value, key.day, key.outcome.rawValue, count)
        }
    }
}
