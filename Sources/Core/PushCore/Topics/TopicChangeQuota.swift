import PushModel
public import Timekeeping

/// How many subscriptions each project may change, its apps and app servers together: a bucket that holds a second's
/// worth. Source: FCM, "Topic messaging" (3,000 a second).
public final class TopicChangeQuota: Sendable {
    private let rate: ProjectRate

    public init(changesPerSecond: Int = TopicLimits.changesPerSecond, clock: any WallClock) {
        rate = ProjectRate(changesPerSecond, perMilliseconds: 1000, clock: clock)
    }

    /// Charges changes before they are made, whatever comes of them. More than a second's worth at once is charged as a
    /// second's worth.
    /// - Throws: `changeRateExceeded`, and charges nothing then.
    func charge(_ project: ProjectNumber, changes: Int = 1) throws(TopicError) {
        guard rate.take(changes, of: project) else { throw .changeRateExceeded }
    }
}
