import PushModel
import Synchronization
import Timekeeping

/// How much each project may do: a bucket for each that holds `amount` and fills up again within `milliseconds`.
///
/// A full bucket is as good as none: full ones are forgotten, so there are never many more buckets than projects that
/// were busy lately.
final class ProjectRate: Sendable {
    private struct Bucket {
        var left: Double
        var filledAt: Timestamp
    }

    private struct State {
        var buckets: [ProjectNumber: Bucket] = [:]
        /// So many buckets are reason to look for full ones.
        var cleaningSize = ProjectRate.smallestCleaningSize
    }

    private static let smallestCleaningSize = 64

    private let amount: Double
    private let milliseconds: Double
    private let clock: any WallClock
    private let state = Mutex(State())

    init(_ amount: Int, perMilliseconds milliseconds: Int64, clock: any WallClock) {
        self.amount = Double(max(amount, 1))
        self.milliseconds = Double(max(milliseconds, 1))
        self.clock = clock
    }

    /// Charges what a project wants to do. More than a bucket holds is charged as a whole bucket.
    /// - Returns: Whether there was enough; else nothing is charged.
    func take(_ wanted: Int, of project: ProjectNumber) -> Bool {
        let price = min(Double(max(wanted, 1)), amount)
        let now = clock.now()
        return state.withLock { state in
            var left = state.buckets[project].map { content(of: $0, at: now) } ?? amount
            let isEnough = left >= price
            if isEnough { left -= price }
            if state.buckets.updateValue(Bucket(left: left, filledAt: now), forKey: project) == nil {
                forgetFullBuckets(&state, at: now)
            }
            return isEnough
        }
    }

    /// Gives back what was charged for something that was not done after all.
    func giveBack(_ charged: Int, to project: ProjectNumber) {
        state.withLock { state in
            guard let left = state.buckets[project]?.left else { return }
            state.buckets[project]?.left = min(amount, left + Double(charged))
        }
    }

    /// How many buckets are kept.
    var size: Int { state.withLock(\.buckets.count) }

    /// A clock that was set back fills nothing.
    private func content(of bucket: Bucket, at now: Timestamp) -> Double {
        let passed = Double(max(0, now.milliseconds &- bucket.filledAt.milliseconds))
        return min(amount, bucket.left + passed * amount / milliseconds)
    }

    private func forgetFullBuckets(_ state: inout State, at now: Timestamp) {
        guard state.buckets.count >= state.cleaningSize else { return }
        state.buckets = state.buckets.filter { content(of: $0.value, at: now) < amount }
        state.cleaningSize = max(Self.smallestCleaningSize, 2 * state.buckets.count)
    }
}
