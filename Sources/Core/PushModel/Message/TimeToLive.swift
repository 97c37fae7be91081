/// How long an undelivered message may wait for its device.
///
/// Unit: whole seconds. Source: FCM HTTP v1, `AndroidConfig.ttl` (0 s to 4 weeks).
public struct TimeToLive: Hashable, Sendable {
    public static let allowedSeconds: ClosedRange<Int64> = 0...2_419_200
    /// Four weeks, the default of the service.
    public static let longest = TimeToLive(uncheckedSeconds: 2_419_200)

    public let seconds: Int64

    /// `nil` outside `allowedSeconds`.
    public init?(seconds: Int64) {
        guard Self.allowedSeconds.contains(seconds) else { return nil }
        self.seconds = seconds
    }

    private init(uncheckedSeconds: Int64) {
        seconds = uncheckedSeconds
    }
}
