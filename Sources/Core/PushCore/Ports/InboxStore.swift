public import PushModel
public import Timekeeping

/// What waits for devices that are reached over the device channel. Rows come with the acceptance of a message
/// (`DeliveryStore.accept`, `FanOutStore.extendFanOut`) and stay until the device has acknowledged them.
public protocol InboxStore: Sendable {
    /// The entries of a device after an id, in order of acceptance; fewer than the limit only at the end. Expired ones
    /// and those of ended registrations are included: the caller settles them.
    func inbox(of device: UInt64, after id: DeliveryID, limit: Int) throws(StoreError) -> [InboxEntry]

    /// Those of the entries that are still in the device's inbox.
    func inboxEntries(_ ids: [DeliveryID], of device: UInt64) throws(StoreError) -> [InboxEntry]

    /// Takes entries out of the inboxes of devices and records how they ended; what is not there any more is left alone.
    /// Durable when it returns.
    func settle(_ inboxes: [InboxSettlements]) async throws(StoreError) -> SettledInbox

    /// Replaces everything in the inbox of a device by one note for each registration that says how much was dropped.
    /// What had expired is not counted as dropped.
    /// - Returns: The deliveries that ended so.
    func discardInbox(of device: UInt64, at time: Timestamp) async throws(StoreError) -> [FinishedDelivery]

    /// Moves what may also go to a gateway out of the inbox of a device, or of one registration: the device left. A
    /// store that is opened by a server has done that for all devices.
    /// - Returns: The deliveries, which a gateway is to take.
    func returnToGateway(
        device: UInt64, registration: RegistrationID?
    ) async throws(StoreError) -> [QueuedDelivery]

    /// Takes out what expired among the next rows after an id.
    /// - Returns: What ended, and where to go on; `nil` when that was the last row.
    func sweepInboxes(
        after id: DeliveryID, rows: Int, at time: Timestamp
    ) async throws(StoreError) -> (ended: [FinishedDelivery], next: DeliveryID?)

    /// When the device was last known to be connected; `nil` when it never was.
    func lastConnection(of device: UInt64) throws(StoreError) -> Timestamp?
    /// Notes that the device is connected.
    func noteConnection(of device: UInt64, at time: Timestamp) async throws(StoreError)
}

extension InboxStore {
    public func settle(_ settlements: [InboxSettlement], of device: UInt64) async throws(StoreError) -> SettledInbox {
        try await settle([InboxSettlements(device: device, entries: settlements)])
    }
}

/// One entry of a device's inbox.
public struct InboxEntry: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        case message(ValidatedMessage)
        /// So many messages were dropped; the device is told.
        case dropped(count: Int)
    }

    public var id: DeliveryID
    public var content: Content
    public var recipient: Registration
    /// When the message is not to be delivered any more.
    public var expiresAt: Timestamp

    public init(id: DeliveryID, content: Content, recipient: Registration, expiresAt: Timestamp) {
        self.id = id
        self.content = content
        self.recipient = recipient
        self.expiresAt = expiresAt
    }
}

/// How an entry of an inbox ends.
public struct InboxSettlement: Sendable, Equatable {
    public var finished: FinishedDelivery
    /// For the sender that asked for it.
    public var receipt: UpstreamDraft?

    public init(finished: FinishedDelivery, receipt: UpstreamDraft? = nil) {
        self.finished = finished
        self.receipt = receipt
    }
}

/// How entries of one device's inbox end.
public struct InboxSettlements: Sendable, Equatable {
    public var device: UInt64
    public var entries: [InboxSettlement]

    public init(device: UInt64, entries: [InboxSettlement]) {
        self.device = device
        self.entries = entries
    }
}

/// What came of a settlement: only of entries that were still there.
public struct SettledInbox: Sendable, Equatable {
    public var ended: [FinishedDelivery]
    /// Stored for their app servers.
    public var receipts: [UpstreamMessage]

    public init(ended: [FinishedDelivery] = [], receipts: [UpstreamMessage] = []) {
        self.ended = ended
        self.receipts = receipts
    }
}
