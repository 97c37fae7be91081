public import Timekeeping

/// A device token: the address of one app (or of its VoIP or live activity part) on one device.
public struct TokenRegistration: Sendable, Equatable {
    /// Why and since when a token is dead.
    public struct End: Sendable, Equatable {
        public var reason: RejectionReason
        /// The time that answers give.
        public var since: Timestamp
        /// From when on answers show it: the service notices an uninstalled app only some time later.
        public var visibleFrom: Timestamp

        public init(reason: RejectionReason, since: Timestamp, visibleFrom: Timestamp) {
            self.reason = reason
            self.since = since
            self.visibleFrom = visibleFrom
        }

        func rejection(now: Timestamp) -> Rejection? {
            now >= visibleFrom ? Rejection(reason, invalidSince: since) : nil
        }
    }

    /// Lower-case hexadecimal.
    public var token: String
    public var deviceID: String
    public var bundleID: String
    /// The bundle id with the suffix of the part: what `apns-topic` must be.
    public var topic: String
    public var environment: SimulatedEnvironment
    public var registeredAt: Timestamp
    public var end: End?
}
