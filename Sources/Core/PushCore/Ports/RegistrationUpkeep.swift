public import PushModel
public import Timekeeping

/// Which registrations are given up, and which are forgotten.
public struct RegistrationRetention: Sendable, Equatable {
    /// Source: FCM, "Best practices for registration token management": an Android app that has not connected for 270
    /// days has no token any more.
    public static let longestInactivitySeconds: Int64 = 270 * 86_400
    /// How long it is known that a registration existed. Longer than any message lives, so that nothing names a
    /// registration that is gone.
    public static let endedSeconds: Int64 = 60 * 86_400

    /// Apps on the device channel whose device did nothing since then are given up.
    public var activeSince: Timestamp
    /// Registrations that ended before are forgotten.
    public var endedSince: Timestamp
    public var now: Timestamp

    public init(at now: Timestamp) {
        self.now = now
        activeSince = now.adding(seconds: -Self.longestInactivitySeconds)
        endedSince = now.adding(seconds: -Self.endedSeconds)
    }
}

/// What came of a piece of upkeep.
public struct RegistrationUpkeepStep: Sendable, Equatable {
    /// Where to go on; `nil` at the end.
    public var next: RegistrationID?
    public var expired: Int
    public var forgotten: Int

    public init(next: RegistrationID?, expired: Int, forgotten: Int) {
        self.next = next
        self.expired = expired
        self.forgotten = forgotten
    }
}

/// The store's part of giving registrations up.
public protocol RegistrationUpkeep: Sendable {
    /// Looks at the registrations with the next numbers after `id`. Durable when it returns.
    ///
    /// - Parameter rows: How many numbers to look at: the work of one transaction.
    func keepUpRegistrations(
        after id: RegistrationID, rows: Int, _ retention: RegistrationRetention
    ) async throws(StoreError) -> RegistrationUpkeepStep
}
