public import PushCore
public import PushModel
import Timekeeping

extension SQLiteStore: RegistrationUpkeep {
    public func keepUpRegistrations(
        after id: RegistrationID, rows: Int, _ retention: RegistrationRetention
    ) async throws(StoreError) -> RegistrationUpkeepStep {
        try await writer.write { (context) throws(StoreError) in
            try context.keepUpRegistrations(after: id, rows: rows, retention)
        }
    }
}

extension WriteContext {
    fileprivate func keepUpRegistrations(
        after id: RegistrationID, rows: Int, _ retention: RegistrationRetention
    ) throws(StoreError) -> RegistrationUpkeepStep {
        let last = id.value + Int64(rows)
        let expired = try endingTopics { () throws(StoreError) in
            try expireInactive(after: id.value, through: last, retention)
        }
        let forgotten = try forgetEnded(after: id.value, through: last, retention)
        let isEnd = try connection.integer("SELECT ifnull(max(id), 0) FROM registrations") <= last
        return RegistrationUpkeepStep(
            next: isEnd ? nil : RegistrationID(value: last), expired: expired, forgotten: forgotten)
    }

    /// Apps on the device channel whose device neither registered, checked in nor connected.
    private func expireInactive(
        after first: Int64, through last: Int64, _ retention: RegistrationRetention
    ) throws(StoreError) -> Int {
        try connection.change(
            """
            UPDATE registrations SET ending = ?, ended_at = ?
            WHERE id > ? AND id <= ? AND ending IS NULL AND kind IN (?, ?) AND android_id <> 0 AND confirmed_at < ?
                AND NOT EXISTS (SELECT 1 FROM devices WHERE android_id = registrations.android_id
                    AND max(seen_at, ifnull(connected_at, 0)) >= ?)
            """, Registration.Ending.expired.code, retention.now.milliseconds, first, last,
            RegistrationKind.deviceToken.rawValue, RegistrationKind.deviceFID.rawValue,
            retention.activeSince.milliseconds, retention.activeSince.milliseconds)
    }

    private func forgetEnded(
        after first: Int64, through last: Int64, _ retention: RegistrationRetention
    ) throws(StoreError) -> Int {
        let ids = try connection.all(
            "SELECT id FROM registrations WHERE id > ? AND id <= ? AND ended_at < ?", first, last,
            retention.endedSince.milliseconds
        ) { $0.integer(0) }
        guard !ids.isEmpty else { return 0 }
        try connection.change(
            """
            DELETE FROM device_group_members WHERE registration IN
                (SELECT id FROM registrations WHERE id > ? AND id <= ? AND ended_at < ?)
            """, first, last, retention.endedSince.milliseconds)
        for id in ids {
            try connection.change("DELETE FROM web_subscriptions WHERE registration = ?", id)
            try connection.change("DELETE FROM inbox WHERE registration = ? AND dropped IS NOT NULL", id)
            try connection.change("DELETE FROM registrations WHERE id = ?", id)
        }
        return ids.count
    }
}
