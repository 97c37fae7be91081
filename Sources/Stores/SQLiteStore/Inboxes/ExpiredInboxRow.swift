/// A row of `inbox` whose time is over.
struct ExpiredInboxRow: Sendable {
    var id, message, registration: Int64
    var isNote: Bool
}
