import MCSWire
import PushModel

/// One message for one device, ready to be written.
struct OutgoingMessage: Sendable {
    /// `nil` for a message that is not stored: nothing waits for its acknowledgement.
    var id: DeliveryID?
    var persistentID: String
    var category: String
    /// Seconds since acceptance.
    var queuedSeconds: Int32?
    /// What all devices of the message share.
    var template: DataMessageTemplate
}
