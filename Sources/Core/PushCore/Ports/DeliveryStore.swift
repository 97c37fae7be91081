public import PushModel
public import Timekeeping

/// Accepted messages until each delivery has an outcome.
public protocol DeliveryStore: Sendable {
    /// Stores the message and its deliveries. Durable when it returns.
    func accept(_ message: ValidatedMessage, deliveries: [PlannedDelivery]) async throws(StoreError) -> Acceptance

    /// Records outcomes and takes the deliveries out of the queue. Returns at once; the writer commits them with
    /// whatever else is waiting. A crash before that repeats the delivery: at least once.
    func finish(_ outcomes: [FinishedDelivery])

    /// Pending deliveries in order of acceptance, for recovery and for sweeping a queue that did not fit in memory.
    /// Deliveries whose registration has ended are included; the dispatcher gives them their outcome.
    func pendingDeliveries(after id: DeliveryID, limit: Int) throws(StoreError) -> [QueuedDelivery]

    /// How many deliveries wait.
    func pendingCount() throws(StoreError) -> Int

    /// The largest message id in the store, 0 when empty: ids go on from here after a restart.
    func largestMessageID() throws(StoreError) -> MessageID
}

extension DeliveryStore {
    /// Stores a message that gateways take to all its recipients.
    /// - Returns: The deliveries' ids, in the order of the recipients.
    public func accept(
        _ message: ValidatedMessage, recipients: [RegistrationID]
    ) async throws(StoreError) -> [DeliveryID] {
        try await accept(message, deliveries: recipients.map { PlannedDelivery(registration: $0) }).deliveries.map(\.id)
    }
}

/// A delivery and how it ended.
public struct FinishedDelivery: Sendable, Equatable {
    public var id: DeliveryID
    public var message: MessageID
    public var project: ProjectNumber
    public var registration: RegistrationID
    public var outcome: DeliveryOutcome
    public var time: Timestamp
    /// By what it is counted; `nil` lets the store look.
    public var dimensions: ReportDimensions?

    public init(
        id: DeliveryID, message: MessageID, project: ProjectNumber, registration: RegistrationID,
        outcome: DeliveryOutcome, time: Timestamp, dimensions: ReportDimensions? = nil
    ) {
        self.id = id
        self.message = message
        self.project = project
        self.registration = registration
        self.outcome = outcome
        self.time = time
        self.dimensions = dimensions
    }
}
