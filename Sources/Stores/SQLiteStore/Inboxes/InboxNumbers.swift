import PushCore

/// The numbers of inboxes that were looked for lately. A device that has checked in keeps its number for ever.
struct InboxNumbers {
    private static let maximumKnown = 65_536

    private var known: [UInt64: InboxNumber] = [:]

    mutating func number(of device: UInt64, on connection: Connection) throws(StoreError) -> InboxNumber {
        if let number = known[device] { return number }
        let number = try InboxNumber(of: device, on: connection)
        if number.isOfCheckIn {
            if known.count >= Self.maximumKnown { known = [:] }
            known[device] = number
        }
        return number
    }

    /// A check-in may have been undone.
    mutating func forget() {
        known = [:]
    }
}
