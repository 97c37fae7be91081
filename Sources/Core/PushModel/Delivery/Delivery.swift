public import Timekeeping

/// The store's row number of one delivery: one message to one registration. Grows with acceptance.
public struct DeliveryID: Hashable, Comparable, Sendable {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// A message that passed every rule, with what was decided at acceptance.
public struct ValidatedMessage: Sendable, Equatable {
    public var id: MessageID
    public var project: Project
    public var target: SendTarget
    public var message: Message
    public var acceptedAt: Timestamp
    /// When the last delivery of the message gives up.
    public var expiresAt: Timestamp

    public init(
        id: MessageID, project: Project, target: SendTarget, message: Message, acceptedAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.target = target
        self.message = message
        self.acceptedAt = acceptedAt
        self.expiresAt = expiresAt
    }
}

/// A message behind one reference, for the many deliveries that it has.
public final class SharedMessage: Sendable {
    public let message: ValidatedMessage

    public init(_ message: ValidatedMessage) {
        self.message = message
    }
}

/// One message on its way to one registration. It is in the store until an outcome is recorded.
///
/// Handed on and kept many times on its way: the content is behind one reference, so that a copy counts one up and not
/// the twenty of message and registration.
public struct QueuedDelivery: Sendable, Equatable {
    @usableFromInline final class Content: Sendable {
        @usableFromInline let id: DeliveryID
        @usableFromInline let shared: SharedMessage
        @usableFromInline let recipient: Registration
        @usableFromInline let inbox: InboxPosition?

        init(id: DeliveryID, shared: SharedMessage, recipient: Registration, inbox: InboxPosition?) {
            self.id = id
            self.shared = shared
            self.recipient = recipient
            self.inbox = inbox
        }
    }

    @usableFromInline var content: Content

    /// - Parameter inbox: Where it waits in a device's inbox; `nil` for a delivery that a gateway takes.
    public init(id: DeliveryID, message: ValidatedMessage, recipient: Registration, inbox: InboxPosition? = nil) {
        self.init(id: id, shared: SharedMessage(message), recipient: recipient, inbox: inbox)
    }

    /// For one of many deliveries of a message.
    public init(id: DeliveryID, shared: SharedMessage, recipient: Registration, inbox: InboxPosition? = nil) {
        content = Content(id: id, shared: shared, recipient: recipient, inbox: inbox)
    }

    public var id: DeliveryID {
        @inlinable get { content.id }
        set { content = Content(id: newValue, shared: content.shared, recipient: recipient, inbox: inbox) }
    }

    public var message: ValidatedMessage {
        @inlinable get { content.shared.message }
        set { content = Content(id: id, shared: SharedMessage(newValue), recipient: recipient, inbox: inbox) }
    }

    public var recipient: Registration {
        @inlinable get { content.recipient }
        set { content = Content(id: id, shared: content.shared, recipient: newValue, inbox: inbox) }
    }

    /// Where it waits in a device's inbox; `nil` for a delivery that a gateway takes.
    public var inbox: InboxPosition? {
        @inlinable get { content.inbox }
    }

    /// Whether both have the same message, without a look at it where that is plain.
    public func sharesMessage(with other: QueuedDelivery) -> Bool {
        content.shared === other.content.shared || message.id == other.message.id
    }

    public static func == (left: QueuedDelivery, right: QueuedDelivery) -> Bool {
        left.content === right.content
            || left.id == right.id && left.message == right.message && left.recipient == right.recipient
                && left.inbox == right.inbox
    }
}

/// A place in a device's inbox.
public struct InboxPosition: Sendable, Equatable {
    /// The device's check-in id.
    public var device: UInt64
    /// The delivery before this one in the inbox when it was stored; `nil` when the inbox was empty. A connection that
    /// wrote that one already may write this one without looking into the store.
    public var previous: DeliveryID?

    public init(device: UInt64, previous: DeliveryID?) {
        self.device = device
        self.previous = previous
    }
}

/// How a delivery ended.
public enum DeliveryOutcome: Sendable, Equatable {
    /// The platform's service took the push. `providerID` is APNs' `apns-id`.
    case accepted(providerID: String)
    case failed(SendError)
    /// The time to live ended before the platform's service took it.
    case expired
    /// A newer message of the same collapse key took its place in the device's inbox.
    case superseded
    /// The device was away too long, or too many messages waited for it: it hears only how many there were.
    case discarded
}
