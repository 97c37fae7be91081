import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    func addDevice(androidID: UInt64, secretHash: [UInt8], at time: Timestamp) throws(StoreError) {
        let serial = try connection.integer("SELECT value FROM settings WHERE name = 'last-device-serial'") + 1
        let added = try connection.change(
            "INSERT OR IGNORE INTO devices (android_id, secret_hash, created_at, seen_at, serial) VALUES (?, ?, ?, ?, ?)",
            androidID, secretHash, time.milliseconds, time.milliseconds, serial)
        guard added > 0 else { throw .conflict("The device id is taken.") }
        try connection.change("UPDATE settings SET value = ? WHERE name = 'last-device-serial'", serial)
    }

    func noteVisit(androidID: UInt64, at time: Timestamp) throws(StoreError) {
        try connection.change(
            "UPDATE devices SET seen_at = max(seen_at, ?) WHERE android_id = ?", time.milliseconds, androidID)
    }

    /// The device is connected at that time.
    func noteConnection(androidID: UInt64, at time: Timestamp) throws(StoreError) {
        try connection.change(
            """
            UPDATE devices SET seen_at = max(seen_at, ?1), connected_at = max(ifnull(connected_at, 0), ?1)
            WHERE android_id = ?2
            """, time.milliseconds, androidID)
    }
}
