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

/// One message on its way to one registration. It is in the store until an outcome is recorded.
public struct QueuedDelivery: Sendable, Equatable {
    public var id: DeliveryID
    public var message: ValidatedMessage
    public var recipient: Registration

    public init(id: DeliveryID, message: ValidatedMessage, recipient: Registration) {
        self.id = id
        self.message = message
        self.recipient = recipient
    }
}

/// How a delivery ended.
public enum DeliveryOutcome: Sendable, Equatable {
    /// The platform's service took the push. `providerID` is APNs' `apns-id`.
    case accepted(providerID: String)
    case failed(SendError)
    /// The time to live ended before the platform's service took it.
    case expired
}
