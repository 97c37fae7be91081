/// How the service keeps and delivers accepted pushes. Source: Apple, "Viewing the status of push notifications" for
/// the slot and the 30 days; the rest is not documented and off by default.
public struct StorageRules: Sendable {
    /// Which of two pushes for an absent device stays in its app's only slot.
    public enum SlotPolicy: String, Sendable {
        case lastWins
        /// Either, by the seed: the service promises no order.
        case random
    }

    /// Allowance of one device token, refilled steadily; beyond it `TooManyRequests`.
    public struct Allowance: Sendable, Equatable {
        public var burst: Int
        public var perSecond: Double

        public init(burst: Int, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    /// How long a push without `apns-expiration`, or with a distant one, is kept.
    public var maximumStorageSeconds: Int64 = 30 * 86_400
    public var slotPolicy = SlotPolicy.lastWins
    /// Background pushes of an app per hour; `nil`: unlimited. Apple advises at most 2 or 3.
    public var backgroundPushesPerHour: Int?
    /// Holds pushes of priority 5 until the device is in use.
    public var holdsNormalPriority = false
    /// How long after an uninstallation the service still answers 200.
    public var unregisteredDelayMilliseconds: Int64 = 0
    public var allowance: Allowance?
    /// Random bytes of a device token.
    public var tokenBytes = 32
    /// Deliveries that a device remembers for readers that come later.
    public var deliveriesKept = 1000
    public var seed: UInt64 = 1

    public init() {}
}
