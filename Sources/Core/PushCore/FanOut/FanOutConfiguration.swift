/// Bounds of a fan-out.
public struct FanOutConfiguration: Sendable {
    /// Members in one transaction.
    public var membersPerChunk = 500
    /// Deliveries of one project's fan-outs that wait for their first answer. A push may be repeated after a crash
    /// only while it is among them, and a direct send of the same project waits for no more than these.
    public var deliveriesUnderWayPerProject = 1_000
    /// Registrations that one step of a condition looks at, found or not.
    public var registrationsExaminedPerStep = 100_000
    /// How long a fan-out rests when the store fails or the dispatcher is full.
    public var pauseMilliseconds: Int64 = 200

    public init() {}
}
