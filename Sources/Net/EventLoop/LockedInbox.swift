import Glibc

/// The inbox of a loop under a lock.
///
/// A pthread lock and not `Synchronization.Mutex`: the thread sanitizer does not see the latter on Linux, and would
/// report everything that passes between threads through a loop.
///
/// `@unchecked Sendable`: `inbox` is touched under `mutex` only.
final class LockedInbox: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var inbox = LoopInbox()

    init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout LoopInbox) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&inbox)
    }
}
