import Glibc
import PushCore
import Synchronization

/// Moves pages of the write-ahead log into the database file beside the writer, which goes on committing meanwhile: to
/// move a full log takes as long as hundreds of commits.
///
/// What is committed in that time stays in the log, so the writer moves that little itself and can then begin the log
/// anew.
// Sendable: the semaphore may be used by any thread, the connection is used by `thread` alone.
final class LogCheckpointer: @unchecked Sendable {
    private enum State: UInt8, AtomicRepresentable {
        case idle, working, finished, closing
    }

    private let connection: Connection
    private let thread = WriterThread()
    private let state = Atomic(State.idle)
    private let work = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(path: String) throws(StoreError) {
        connection = try Connection(path: path, access: .readWrite)
        try connection.execute("PRAGMA synchronous = FULL")
        sem_init(work, 0, 0)
        guard thread.start({ [self] in run() }) else { throw .unavailable("No thread for the log of the database.") }
    }

    deinit {
        sem_destroy(work)
        work.deallocate()
    }

    /// Begins to move the log, unless that is going on.
    ///
    /// - Returns: Whether a move has ended since the last call: the rest is the writer's.
    func advance() -> Bool {
        if state.compareExchange(expected: .finished, desired: .idle, ordering: .acquiringAndReleasing).exchanged {
            return true
        }
        if state.compareExchange(expected: .idle, desired: .working, ordering: .acquiringAndReleasing).exchanged {
            sem_post(work)
        }
        return false
    }

    /// Ends the thread, after a move that is going on.
    func close() {
        state.store(.closing, ordering: .releasing)
        sem_post(work)
        thread.join()
    }

    private func run() {
        while true {
            while sem_wait(work) != 0 {}
            guard state.load(ordering: .acquiring) == .working else { return }
            try? connection.checkpoint(waitsForReaders: false)
            _ = state.compareExchange(expected: .working, desired: .finished, ordering: .acquiringAndReleasing)
        }
    }
}
