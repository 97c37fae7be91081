import PushModel
import Synchronization
import Timekeeping

/// How many reports one app instance may send within a window, without a row for each instance: they are counted in a
/// fixed number of places, chosen by a hash that nobody outside can foresee.
///
/// Instances that share a place share its amount. So the amount is far above what one instance needs.
final class InstanceRate: Sendable {
    private struct State {
        var counts: [UInt16]
        var endsAt: Timestamp
    }

    static let places = 1 << 16

    private let amount: UInt16
    private let milliseconds: Int64
    private let clock: any WallClock
    private let state: Mutex<State>

    init(_ amount: Int, perMilliseconds milliseconds: Int64, clock: any WallClock) {
        self.amount = UInt16(clamping: max(amount, 1))
        self.milliseconds = milliseconds
        self.clock = clock
        state = Mutex(State(counts: [], endsAt: clock.now()))
    }

    /// - Returns: Whether the instance may send one more.
    func take(_ instance: String, in project: ProjectNumber) -> Bool {
        var hasher = Hasher()
        hasher.combine(project)
        hasher.combine(instance)
        let place = Int(UInt(bitPattern: hasher.finalize()) % UInt(Self.places))
        let now = clock.now()
        return state.withLock { state in
            if now >= state.endsAt || state.counts.isEmpty {
                state.counts = Array(repeating: 0, count: Self.places)
                state.endsAt = now.adding(milliseconds: milliseconds)
            }
            guard state.counts[place] < amount else { return false }
            state.counts[place] += 1
            return true
        }
    }
}
