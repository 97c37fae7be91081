import PushModel
public import Timekeeping

/// How many messages each project may send: a bucket that holds a minute's worth. Source: FCM, "Throttling and quotas"
/// (600,000 a minute).
public final class SendQuota: Sendable {
    private let rate: ProjectRate

    public init(messagesPerMinute: Int = 600_000, clock: any WallClock) {
        rate = ProjectRate(messagesPerMinute, perMilliseconds: 60_000, clock: clock)
    }

    /// Charges messages. More than a minute's worth at once is charged as a minute's worth.
    /// - Throws: `projectQuotaExceeded`, and charges nothing then.
    func charge(_ project: ProjectNumber, messages: Int = 1) throws(SendError) {
        guard rate.take(messages, of: project) else {
            throw SendError(.projectQuotaExceeded, "Message rate exceeded")
        }
    }

    /// Gives back what messages were charged that were refused after all.
    func refund(_ project: ProjectNumber, messages: Int = 1) {
        rate.giveBack(messages, to: project)
    }
}
