public import PushModel
public import Timekeeping

/// Where one recipient's copy of a message goes: into the queue of the gateways, or into a device's inbox.
public struct PlannedDelivery: Sendable, Equatable {
    public var registration: RegistrationID
    /// `nil` for the queue of the gateways.
    public var inbox: InboxPlace?
    /// By what it is counted; `nil` lets the store look.
    public var dimensions: ReportDimensions?

    public init(registration: RegistrationID, inbox: InboxPlace? = nil, dimensions: ReportDimensions? = nil) {
        self.registration = registration
        self.inbox = inbox
        self.dimensions = dimensions
    }
}

/// What an inbox needs to know of a message before it is stored.
public struct InboxPlace: Sendable, Equatable {
    /// The device's check-in id.
    public var device: UInt64
    /// Of several messages with the same key the newest stays. `nil` never collapses.
    public var collapseKey: String?
    /// Whether the key is not the sender's: such messages collapse, but are not throttled as those with a key are.
    public var isKeyImplied = false
    /// When the message is not to be delivered any more.
    public var expiresAt: Timestamp
    /// Whether the device has a connection: then no number of waiting messages is too large.
    public var isConnected: Bool
    /// Whether a gateway may take the message instead when the device leaves.
    public var mayReturn: Bool

    public init(
        device: UInt64, collapseKey: String?, expiresAt: Timestamp, isConnected: Bool, mayReturn: Bool = false
    ) {
        self.device = device
        self.collapseKey = collapseKey
        self.expiresAt = expiresAt
        self.isConnected = isConnected
        self.mayReturn = mayReturn
    }
}

/// Messages of one app that an inbox holds.
public enum InboxLimits {
    /// Messages without a collapse key that may wait for one app of a device that is away. One more, and all are
    /// dropped. Source: FCM, "Non-collapsible and collapsible messages".
    public static let waitingMessages = 100
    /// Collapse keys that one app may have waiting; the oldest gives way. Source: as above.
    public static let collapseKeys = 4
    /// How long a device may be away before everything is dropped. Source: Firebase, Apple direct channel.
    public static let longestAbsenceSeconds: Int64 = 30 * 86_400
    /// How long a note of dropped messages waits. Source: FCM, "Manage tokens": after so long without a connection
    /// an Android app's registration is over.
    public static let noteLifetimeSeconds: Int64 = 270 * 86_400
}

/// What became of an acceptance.
public struct Acceptance: Sendable, Equatable {
    /// One for each planned delivery, in their order.
    public var deliveries: [AcceptedDelivery]
    /// Earlier deliveries that ended because of it: superseded, or dropped from a full inbox.
    public var ended: [FinishedDelivery]

    public init(deliveries: [AcceptedDelivery], ended: [FinishedDelivery] = []) {
        self.deliveries = deliveries
        self.ended = ended
    }
}

/// A delivery that is in the store.
public struct AcceptedDelivery: Sendable, Equatable {
    public var id: DeliveryID
    /// The delivery before it in the device's inbox.
    public var previousInInbox: DeliveryID?

    public init(id: DeliveryID, previousInInbox: DeliveryID? = nil) {
        self.id = id
        self.previousInInbox = previousInInbox
    }
}
