import EventLoop
import Timekeeping

/// When a provider token is made anew.
///
/// APNs refuses tokens older than an hour and tokens that change within 20 minutes. Age is measured on the monotonic
/// clock, so that a wall clock that is set back cannot keep an old token alive; a wall clock that jumped away from the
/// token's `iat` makes it useless too. Source: Apple, "Establishing a token-based connection to APNs".
struct ProviderTokenPolicy: Sendable {
    static let renewalAge: Duration = .seconds(45 * 60)
    static let shortestAge: Duration = .seconds(20 * 60)
    /// How far `iat` may lie in the future before a token is taken for one from another time.
    static let toleratedSkewSeconds: Int64 = 60
    private static let refusalWindow: Duration = .seconds(60)
    private static let renewalsPerRefusalWindow = 3

    private struct Issue {
        var generation: Int
        var at: MonotonicTime
        var wallSeconds: Int64
        var isRefused = false
    }

    private var issue: Issue?
    private var forcedRenewals: [MonotonicTime] = []

    /// The number of the current token, 0 before the first.
    var generation: Int { issue?.generation ?? 0 }

    /// Whether a new token is to be made before the next use.
    func isDue(at now: MonotonicTime, wall: Timestamp) -> Bool {
        guard let issue, !issue.isRefused else { return true }
        let wallAge = wall.seconds.subtractingReportingOverflow(issue.wallSeconds).partialValue
        return now.since(issue.at) >= Self.renewalAge || wallAge >= Self.renewalAge.components.seconds
            || wallAge < -Self.toleratedSkewSeconds
    }

    /// Notes a new token.
    mutating func issued(at now: MonotonicTime, wall: Timestamp) {
        issue = Issue(generation: generation + 1, at: now, wallSeconds: wall.seconds)
    }

    /// APNs called a token expired. Only the current one is worth replacing, and not over and over: when new tokens
    /// expire too, the machine's clock is wrong.
    ///
    /// - Returns: Whether the current token was given up.
    mutating func refused(generation: Int, at now: MonotonicTime) -> Bool {
        guard generation == self.generation, issue != nil else { return false }
        forcedRenewals.removeAll { now.since($0) >= Self.refusalWindow }
        guard forcedRenewals.count < Self.renewalsPerRefusalWindow else { return false }
        forcedRenewals.append(now)
        issue?.isRefused = true
        return true
    }
}
