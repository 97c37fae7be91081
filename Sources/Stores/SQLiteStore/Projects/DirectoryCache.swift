import Glibc
import PushCore
import Synchronization

/// Keeps the newest `DirectorySnapshot`, and notices when another process has changed the directory.
final class DirectoryCache: Sendable {
    private struct State {
        var snapshot: DirectorySnapshot
        /// Monotonic nanoseconds of the last look at the database; the first question always looks.
        var checkedAt: UInt64 = 0
    }

    private static let checkInterval: UInt64 = 1_000_000_000
    /// A request for something unknown looks at once, but a flood of them does not.
    private static let missInterval: UInt64 = 50_000_000

    private let readers: ReaderPool
    private let state: Mutex<State>

    init(readers: ReaderPool) throws(StoreError) {
        self.readers = readers
        let snapshot = try readers.read { (connection) throws(StoreError) in try DirectorySnapshot(connection) }
        state = Mutex(State(snapshot: snapshot))
    }

    /// What the directory says, at most a second behind other processes.
    var current: DirectorySnapshot {
        let now = Self.now()
        let (snapshot, isDue) = state.withLock { take(&$0, now: now, interval: Self.checkInterval) }
        return isDue ? refreshed(since: snapshot) : snapshot
    }

    /// Looks something up, and once more in a newer snapshot when it is not there.
    func find<Result>(_ look: (DirectorySnapshot) -> Result?) -> Result? {
        let snapshot = current
        if let found = look(snapshot) { return found }
        let now = Self.now()
        let (known, isDue) = state.withLock { take(&$0, now: now, interval: Self.missInterval) }
        let newer = isDue ? refreshed(since: known) : known
        return newer === snapshot ? nil : look(newer)
    }

    /// Reads the directory again after a change of our own.
    func reload() throws(StoreError) {
        let snapshot = try readers.read { (connection) throws(StoreError) in try DirectorySnapshot(connection) }
        publish(snapshot)
    }

    /// Whoever finds that a look is due is the one who takes it.
    private func take(_ state: inout State, now: UInt64, interval: UInt64) -> (DirectorySnapshot, Bool) {
        let isDue = now &- state.checkedAt >= interval
        if isDue { state.checkedAt = now }
        return (state.snapshot, isDue)
    }

    /// Keeps the old snapshot while the database cannot be read.
    private func refreshed(since snapshot: DirectorySnapshot) -> DirectorySnapshot {
        let newer = try? readers.read { (connection) throws(StoreError) -> DirectorySnapshot? in
            guard try DirectorySnapshot.version(connection) != snapshot.version else { return nil }
            return try DirectorySnapshot(connection)
        }
        if let found = newer ?? nil { publish(found) }
        return state.withLock { $0.snapshot }
    }

    private func publish(_ snapshot: DirectorySnapshot) {
        state.withLock { state in
            if snapshot.version >= state.snapshot.version { state.snapshot = snapshot }
        }
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(bitPattern: Int64(time.tv_nsec))
    }
}
