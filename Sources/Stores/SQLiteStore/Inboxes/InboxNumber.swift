import PushCore

/// The number under which the inbox of a device is kept: that of its check-in, in their order.
struct InboxNumber: Equatable {
    let value: Int64
    /// Whether the device has checked in.
    let isOfCheckIn: Bool

    /// A device that never checked in has a number below zero, or one that no check-in reaches.
    init(of device: UInt64, on connection: Connection) throws(StoreError) {
        let serial = try connection.first("SELECT serial FROM devices WHERE android_id = ?", device) { row in
            row.isNull(0) ? nil : row.integer(0)
        }
        let given = serial ?? nil
        isOfCheckIn = given != nil
        value = given ?? ~Int64(bitPattern: device)
    }
}

extension InboxNumber: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        value.bind(to: statement, at: place)
    }
}
