import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    func addDevice(androidID: UInt64, secretHash: [UInt8], at time: Timestamp) throws(StoreError) {
        let added = try connection.change(
            "INSERT OR IGNORE INTO devices (android_id, secret_hash, created_at, seen_at) VALUES (?, ?, ?, ?)",
            androidID, secretHash, time.milliseconds, time.milliseconds)
        guard added > 0 else { throw .conflict("The device id is taken.") }
    }

    func noteVisit(androidID: UInt64, at time: Timestamp) throws(StoreError) {
        try connection.change(
            "UPDATE devices SET seen_at = max(seen_at, ?) WHERE android_id = ?", time.milliseconds, androidID)
    }
}
