import PushModel
public import Timekeeping

/// How many messages devices on the device channel may get. For Apple's devices APNs decides itself.
public final class DeviceQuota: Sendable {
    private let minutes, hours: RateBuckets<UInt64>
    private let collapsible: RateBuckets<RegistrationID>
    private let clock: any WallClock

    public init(_ limits: DeviceMessageLimits = .init(), clock: any WallClock) {
        self.clock = clock
        minutes = Self.buckets(limits.perMinute, milliseconds: 60_000)
        hours = Self.buckets(limits.perHour, milliseconds: 3_600_000)
        collapsible = RateBuckets(
            burst: limits.collapsibleBurst,
            intervalMilliseconds: max(1, limits.collapsibleIntervalSeconds).multipliedReportingOverflow(by: 1000)
                .partialValue)
    }

    private static func buckets(_ count: Int, milliseconds: Int64) -> RateBuckets<UInt64> {
        RateBuckets(burst: count, intervalMilliseconds: milliseconds / Int64(max(1, count)))
    }

    /// Counts a message that is to go into an inbox.
    /// - Returns: Why it may not, and nothing is counted then.
    func refusal(of planned: PlannedDelivery, acceptedAt: Timestamp) -> SendError? {
        guard let place = planned.inbox else { return nil }
        let now = clock.now()
        if let wait = minutes.take(place.device, at: now) { return .tooManyForDevice(wait) }
        if let wait = hours.take(place.device, at: now) {
            minutes.giveBack(place.device)
            return .tooManyForDevice(wait)
        }
        // What is now or never is not throttled. Source: FCM, "Set the lifespan of a message".
        guard place.collapseKey != nil, !place.isKeyImplied, place.expiresAt > acceptedAt else { return nil }
        guard let wait = collapsible.take(planned.registration, at: now) else { return nil }
        minutes.giveBack(place.device)
        hours.giveBack(place.device)
        return .tooManyForDevice(wait)
    }
}

extension SendError {
    fileprivate static func tooManyForDevice(_ milliseconds: Int64) -> SendError {
        SendError(
            .deviceQuotaExceeded, "The device receives too many messages.",
            retryAfterSeconds: Int(min(86_400, milliseconds / 1000 + 1)))
    }
}
