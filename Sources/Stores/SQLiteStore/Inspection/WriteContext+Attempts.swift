import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// Of one project.
    static let keptAttempts: Int64 = 100_000

    func add(_ attempts: [DeliveryTry]) throws(StoreError) {
        for attempt in attempts {
            try connection.change(
                "INSERT INTO delivery_attempts (project, delivery, time, status, reason) VALUES (?, ?, ?, ?, ?)",
                attempt.project.value, attempt.delivery.value, attempt.time.milliseconds, attempt.status,
                String(attempt.reason.prefix(200)))
        }
    }

    /// Deletes attempts that are too old, and of each project those beyond the newest `keptAttempts`; and blocks whose
    /// deliveries are forgotten.
    func pruneAttempts(before oldest: Timestamp) throws(StoreError) {
        try connection.change(
            """
            DELETE FROM delivery_attempts WHERE time < ?
                AND id IN (SELECT id FROM delivery_attempts ORDER BY id LIMIT 1000)
            """, oldest.milliseconds)
        let newest = try connection.integer("SELECT max(id) FROM delivery_attempts")
        if newest - attemptsCheckedAt >= 1_000 {
            attemptsCheckedAt = newest
            try pruneSurplusAttempts()
        }
        try connection.change(
            """
            DELETE FROM delivery_blocks WHERE block < ifnull((SELECT min(id) FROM delivery_events), 0) / ?
                AND block IN (SELECT block FROM delivery_blocks ORDER BY block LIMIT 100)
            """, DeliveryBlock.deliveries)
    }

    private func pruneSurplusAttempts() throws(StoreError) {
        let total = try connection.integer(
            "SELECT count(*) FROM (SELECT 1 FROM delivery_attempts LIMIT ?)", Self.keptAttempts + 1)
        guard total > Self.keptAttempts else { return }
        let projects = try connection.all("SELECT DISTINCT project FROM delivery_attempts") { $0.integer(0) }
        for project in projects {
            try connection.change(
                """
                DELETE FROM delivery_attempts WHERE project = ?1 AND id <=
                    (SELECT id FROM delivery_attempts WHERE project = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                """, project, Self.keptAttempts)
        }
    }
}
