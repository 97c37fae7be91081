import PushModel
import Synchronization

/// How many connections each sender has.
final class SenderConnections: Sendable {
    private let maximum: Int
    private let counts = Mutex<[ProjectNumber: Int]>([:])

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Counts one more, unless there are as many as there may be.
    func enter(_ project: ProjectNumber) -> Bool {
        counts.withLock { counts in
            guard counts[project, default: 0] < maximum else { return false }
            counts[project, default: 0] += 1
            return true
        }
    }

    func leave(_ project: ProjectNumber) {
        counts.withLock { counts in
            let count = counts[project, default: 1] - 1
            counts[project] = count > 0 ? count : nil
        }
    }
}
