import PushCore
import PushModel
import Timekeeping

/// Rows of one message for the inboxes of several devices, on their way into the table, and what is known of those
/// inboxes. Devices mostly come in the order of their numbers, and most inboxes are empty.
struct InboxFilling {
    struct Row {
        var delivery: Int64
        var device: InboxNumber
        var message: MessageID
        var registration: RegistrationID
        var place: InboxPlace
    }

    private(set) var rows: [Row] = []
    /// Inboxes that hold nothing, neither in the table nor here.
    private var empty: Range<Int64> = 0..<0
    /// The highest inbox of `rows`.
    private var highest = Int64.min

    var isFull: Bool { rows.count >= RepeatedStatement.rowsAtOnce }

    func isEmpty(_ device: InboxNumber) -> Bool { empty.contains(device.value) }

    /// Whether a row of the device may be here.
    func mayHold(_ device: InboxNumber) -> Bool { !rows.isEmpty && device.value <= highest }

    /// Nothing is in the table for the device, nor for others up to the next one.
    mutating func noteEmpty(_ device: InboxNumber, before next: Int64?) {
        empty = device.value..<max(device.value, next ?? .max)
    }

    mutating func add(_ row: Row) {
        rows.append(row)
        highest = max(highest, row.device.value)
        if empty.contains(row.device.value) { empty = row.device.value + 1..<empty.upperBound }
    }

    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        highest = .min
    }
}

extension WriteContext {
    /// Writes the rows down.
    func write(_ filling: inout InboxFilling) throws(StoreError) {
        try connection.change(.addToInbox, filling.rows) { (row, statement, place) throws(StoreError) in
            try connection.bind(
                row.delivery, row.device, row.message.value, row.registration.value, row.place.collapseKey,
                row.place.expiresAt.milliseconds, row.place.mayReturn ? 1 : 0, to: statement, from: place)
        }
        filling.removeAll()
    }
}
