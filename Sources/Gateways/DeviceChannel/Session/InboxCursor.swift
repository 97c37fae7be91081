import PushModel

/// How far a connection has come in the inbox of its device: messages are written in the order of their ids.
struct InboxCursor: Sendable {
    /// Everything up to here was written on this connection, or needs not be.
    private(set) var position = DeliveryID(value: 0)
    /// The highest delivery that the connection has heard of.
    private var rung = DeliveryID(value: 0)
    /// The store had nothing more when it was last asked.
    private var isAtEnd = false
    private(set) var isReading = false

    /// Whether the store is to be asked for what comes after `position`.
    var wantsRead: Bool { !isReading && (!isAtEnd || rung > position) }

    /// A delivery was stored.
    ///
    /// - Parameter previous: The one before it in the inbox.
    /// - Returns: Whether it is the next one, so that it may be written without asking the store.
    mutating func ring(_ id: DeliveryID, after previous: DeliveryID?) -> Bool {
        rung = max(rung, id)
        return id > position && (previous ?? position) <= position
    }

    /// The delivery was written.
    mutating func passed(_ id: DeliveryID) {
        position = max(position, id)
    }

    mutating func startReading() {
        isReading = true
    }

    /// - Parameters:
    ///   - last: How far the page reaches, when all of it was written; `nil` when some of it still waits.
    ///   - isEnd: Whether nothing was stored after the page.
    mutating func finishReading(through last: DeliveryID?, isEnd: Bool) {
        isReading = false
        isAtEnd = isEnd && last != nil
        if let last { passed(last) }
    }
}
