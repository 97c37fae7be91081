/// A sender's wish to hear when the device has a message. Source: FCM XMPP protocol, `delivery_receipt_requested`.
public struct ReceiptRequest: Sendable, Equatable {
    /// The sender's own id of the message; the receipt names it.
    public var originalID: String

    public init(originalID: String) {
        self.originalID = originalID
    }
}
