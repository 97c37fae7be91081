import Glibc
import PushCore

/// What waits for the writer's thread.
// Sendable: `mutex` guards every stored property that changes.
final class WriteQueue: @unchecked Sendable {
    /// What the writer takes at once.
    struct Batch {
        var jobs: [WriteJob] = []
        var outcomes: [FinishedDelivery] = []
        /// Nothing more will come.
        var isLast = false

        var isEmpty: Bool { jobs.isEmpty && outcomes.isEmpty }
    }

    static let maximumBatchJobs = 1000
    /// Jobs in the last batch from which on the next one is waited for.
    private static let busyBatchJobs = 8
    /// How long a batch that is growing is waited for. Much shorter than a commit takes on most disks.
    private static let gatheringMicroseconds = 300
    /// How long outcomes wait for jobs to be committed with: nobody waits for outcomes.
    private static let outcomePatienceMicroseconds = 5_000
    /// How long outcomes that could not be written wait for the next try.
    private static let retryMilliseconds: Int64 = 1000

    private let capacity: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [WriteJob] = []
    private var outcomes: [FinishedDelivery] = []
    /// After outcomes could not be written: when they alone are worth another try.
    private var holdsOutcomes = false
    private var isClosed = false
    private var writerSleeps = false
    /// Of the last batch that had any.
    private var lastBatchJobs = 0
    /// While a batch grows: the writer is to be woken when so many jobs are here.
    private var wantedJobs: Int?

    /// - Parameter capacity: More jobs than this are refused.
    init(capacity: Int) {
        self.capacity = capacity
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrival, nil)
    }

    deinit {
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(mutex)
        arrival.deallocate()
        mutex.deallocate()
    }

    /// - Returns: Why the job was not taken; `nil` when it was.
    func add(_ job: WriteJob) -> StoreError? {
        let (refusal, needsSignal) = locked { () -> (StoreError?, Bool) in
            guard !isClosed else { return (.unavailable("The store is shutting down."), false) }
            guard jobs.count < capacity else { return (.unavailable("Too many writes wait for the disk."), false) }
            jobs.append(job)
            return (nil, takeSignal())
        }
        if needsSignal { pthread_cond_signal(arrival) }
        return refusal
    }

    /// Outcomes are always taken: there are never more than deliveries in flight.
    func add(_ finished: [FinishedDelivery]) {
        let needsSignal = locked {
            guard !isClosed else { return false }
            outcomes += finished
            return takeSignal()
        }
        if needsSignal { pthread_cond_signal(arrival) }
    }

    /// Gives back outcomes that could not be written.
    func putBack(_ unwritten: [FinishedDelivery]) {
        locked {
            outcomes = unwritten + outcomes
            holdsOutcomes = !outcomes.isEmpty
        }
    }

    /// Takes no more jobs; what was taken is still written.
    func close() {
        locked { isClosed = true }
        pthread_cond_signal(arrival)
    }

    /// Waits for work.
    /// - Parameter idleMilliseconds: Returns an empty batch after that time without work; `nil` waits for ever.
    func take(idleMilliseconds: Int64?) -> Batch {
        locked {
            while jobs.isEmpty, outcomes.isEmpty || holdsOutcomes, !isClosed {
                let wait = holdsOutcomes ? Self.retryMilliseconds : idleMilliseconds
                guard sleep(microseconds: wait.map { Int($0) * 1000 }) else {
                    if holdsOutcomes { break }
                    return Batch()
                }
            }
            holdsOutcomes = false
            gather()
            return takeBatch()
        }
    }

    /// Under load the next batch is given a moment to become larger than the last one: a commit costs as much for many
    /// jobs as for one. Without load nothing is waited for.
    private func gather() {
        if jobs.isEmpty {
            wait(forJobs: 1, microseconds: Self.outcomePatienceMicroseconds)
        } else if lastBatchJobs >= Self.busyBatchJobs {
            let wanted = min(2 * lastBatchJobs, Self.maximumBatchJobs)
            wait(forJobs: wanted, microseconds: Self.gatheringMicroseconds)
        }
    }

    private func wait(forJobs wanted: Int, microseconds: Int) {
        guard !isClosed, jobs.count < wanted else { return }
        wantedJobs = wanted
        defer { wantedJobs = nil }
        _ = sleep(microseconds: microseconds)
    }

    private func takeBatch() -> Batch {
        if !jobs.isEmpty { lastBatchJobs = jobs.count }
        var batch = Batch()
        if jobs.count <= Self.maximumBatchJobs {
            swap(&batch.jobs, &jobs)
        } else {
            batch.jobs = Array(jobs.prefix(Self.maximumBatchJobs))
            jobs.removeFirst(Self.maximumBatchJobs)
        }
        swap(&batch.outcomes, &outcomes)
        batch.isLast = isClosed && jobs.isEmpty
        return batch
    }

    /// Whether the writer sleeps and nobody has woken it yet. The signal is given after the lock, so that the writer
    /// does not wake up only to wait for it.
    private func takeSignal() -> Bool {
        guard writerSleeps, wantedJobs.map({ jobs.count >= $0 }) ?? true else { return false }
        writerSleeps = false
        return true
    }

    /// - Returns: Whether something may have arrived; `false` after the time.
    private func sleep(microseconds: Int?) -> Bool {
        writerSleeps = true
        defer { writerSleeps = false }
        guard let microseconds else { return pthread_cond_wait(arrival, mutex) == 0 }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        let nanoseconds = deadline.tv_nsec + microseconds % 1_000_000 * 1000
        deadline.tv_sec += microseconds / 1_000_000 + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        return pthread_cond_timedwait(arrival, mutex, &deadline) != ETIMEDOUT
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
