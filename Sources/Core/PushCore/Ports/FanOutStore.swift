public import PushModel

/// Messages to topics and conditions: accepted as one row, then split into deliveries chunk by chunk.
public protocol FanOutStore: Sendable {
    /// Stores the message and a fan-out that has reached nobody yet. Durable when it returns.
    func acceptFanOut(_ message: ValidatedMessage) async throws(StoreError)

    /// The fan-outs that are not split to the end, in order of acceptance.
    func openFanOuts() throws(StoreError) -> [OpenFanOut]

    /// Adds the deliveries of a chunk's members and moves the cursor, in one transaction.
    /// - Parameter deliveries: One for each member of the chunk, in their order.
    /// - Returns: `nil` when the fan-out is gone.
    func extendFanOut(
        _ message: MessageID, by chunk: FanOutChunk, deliveries: [PlannedDelivery]
    ) async throws(StoreError) -> Acceptance?

    /// Those of the registrations that are live, in the order of their ids.
    /// - Parameter ids: In ascending order.
    func liveRegistrations(_ ids: [RegistrationID]) throws(StoreError) -> [Registration]
}

extension FanOutStore {
    /// As the other, for members whom gateways reach.
    public func extendFanOut(
        _ message: MessageID, by chunk: FanOutChunk
    ) async throws(StoreError) -> [DeliveryID]? {
        let planned = chunk.members.map { PlannedDelivery(registration: $0) }
        return try await extendFanOut(message, by: chunk, deliveries: planned)?.deliveries.map(\.id)
    }
}

/// A fan-out that has members before it.
public struct OpenFanOut: Sendable, Equatable {
    public var message: ValidatedMessage
    /// The last registration that was looked at.
    public var cursor: RegistrationID?

    public init(message: ValidatedMessage, cursor: RegistrationID? = nil) {
        self.message = message
        self.cursor = cursor
    }
}

/// The next members of a fan-out.
public struct FanOutChunk: Sendable, Equatable {
    /// In ascending order.
    public var members: [RegistrationID]
    /// The last registration that was looked at, member or not.
    public var cursor: RegistrationID?
    public var isLast: Bool

    public init(members: [RegistrationID], cursor: RegistrationID?, isLast: Bool) {
        self.members = members
        self.cursor = cursor
        self.isLast = isLast
    }
}
