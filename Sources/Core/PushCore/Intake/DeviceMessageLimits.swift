/// How many messages one device may get. Source: FCM, "Throttling and quotas".
public struct DeviceMessageLimits: Sendable, Equatable {
    public var perMinute: Int
    public var perHour: Int
    /// Collapsible messages to one app of a device at once; then one more for each interval.
    public var collapsibleBurst: Int
    public var collapsibleIntervalSeconds: Int64

    public init(
        perMinute: Int = 240, perHour: Int = 5_000, collapsibleBurst: Int = 20, collapsibleIntervalSeconds: Int64 = 180
    ) {
        self.perMinute = perMinute
        self.perHour = perHour
        self.collapsibleBurst = collapsibleBurst
        self.collapsibleIntervalSeconds = collapsibleIntervalSeconds
    }
}
