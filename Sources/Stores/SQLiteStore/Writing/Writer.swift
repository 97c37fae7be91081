import Glibc
import PushCore

/// The only thread of this process that changes the database. Commits whatever waits as one transaction, so that the
/// cost of making it durable is shared, then resumes those who wait.
// Sendable: the queue has its own lock, and `context` is touched by the writer's thread alone once it runs.
final class Writer: @unchecked Sendable {
    /// After that long without work the writer tidies up.
    private static let idleMilliseconds: Int64 = 300
    /// A log of that many pages (64 MB) is moved to the database file although work waits.
    private static let maximumLogPages: Int32 = 16_384
    private static let batchesBetweenPruning = 64

    let queue: WriteQueue
    private let context: WriteContext
    private let thread: WriterThread
    /// `nil` when the process may not have one more thread or file: then the writer does it alone.
    private let checkpointer: LogCheckpointer?
    private var batchesSincePruning = 0

    /// Starts the threads.
    ///
    /// - Parameter path: Of the database file.
    init(context: WriteContext, path: String, queueCapacity: Int) throws(StoreError) {
        let queue = WriteQueue(capacity: queueCapacity)
        self.queue = queue
        self.context = context
        thread = WriterThread()
        checkpointer = try? LogCheckpointer(path: path)
        guard thread.start({ [self] in run() }) else { throw .unavailable("No thread for the writer.") }
    }

    /// Does the work in the writer's next transaction. Durable when it returns.
    ///
    /// - Parameter needsSavepoint: `false` for work that throws only before its first change or `unavailable`.
    func write<Result: Sendable>(
        needsSavepoint: Bool = true, _ work: @escaping @Sendable (WriteContext) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let outcome = await withUnsafeContinuation { waiter in
            let job = AwaitedWriteJob(needsSavepoint: needsSavepoint, work: work, waiter: waiter)
            if let refusal = queue.add(job) { waiter.resume(returning: .failure(refusal)) }
        }
        return try outcome.get()
    }

    /// Takes no more work, commits what waits and ends the thread.
    func close() {
        queue.close()
        thread.join()
    }

    private func run() {
        var isLast = false
        while !isLast {
            let batch = queue.take(idleMilliseconds: context.hasUntidyLog ? Self.idleMilliseconds : nil)
            isLast = batch.isLast
            if batch.isEmpty {
                tidy()
            } else {
                commit(batch)
                tidyUnderLoad()
            }
        }
        checkpointer?.close()
        try? context.connection.checkpoint(waitsForReaders: true)
    }

    private func commit(_ batch: WriteQueue.Batch) {
        var failure: StoreError?
        do {
            try context.connection.change("BEGIN IMMEDIATE")
            for job in batch.jobs { try run(job) }
            context.tally.beginJob()
            try context.record(batch.outcomes)
            try context.commit()
        } catch {
            failure = error
            context.undo()
            queue.putBack(batch.outcomes)
        }
        for job in batch.jobs { job.resume(failure: failure) }
    }

    /// A refusal undoes the job alone; trouble with the database ends the whole transaction.
    private func run(_ job: WriteJob) throws(StoreError) {
        if job.needsSavepoint { try context.connection.change("SAVEPOINT job") }
        context.tally.beginJob()
        do {
            try job.run(in: context)
        } catch {
            if case .unavailable = error { throw error }
            context.tally.undoJob()
            if job.needsSavepoint { try context.undoToSavepoint() }
        }
        if job.needsSavepoint { try context.connection.change("RELEASE job") }
    }

    private func tidy() {
        let hasMore = (try? context.pruneEvents()) ?? false
        try? context.connection.checkpoint(waitsForReaders: false)
        if !hasMore { context.logIsTidy() }
    }

    private func tidyUnderLoad() {
        batchesSincePruning += 1
        if batchesSincePruning >= Self.batchesBetweenPruning {
            batchesSincePruning = 0
            _ = try? context.pruneEvents()
        }
        guard context.logPages >= Self.maximumLogPages else { return }
        // Readers may hold back the start of the log for a moment; a log that is far too long waits for them.
        let isFarTooLong = context.logPages >= 4 * Self.maximumLogPages
        guard isFarTooLong || checkpointer?.advance() ?? true else { return }
        try? context.connection.checkpoint(waitsForReaders: isFarTooLong)
    }
}
