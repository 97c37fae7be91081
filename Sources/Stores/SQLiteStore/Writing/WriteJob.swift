import PushCore

/// Work for the writer's thread, and somebody who waits for its result.
// Sendable: the queue's lock hands a job over, and from then on only the writer's thread touches it.
class WriteJob: @unchecked Sendable {
    /// Whether the work may refuse after it has changed something, so that its part of the transaction must be undone.
    let needsSavepoint: Bool

    init(needsSavepoint: Bool) {
        self.needsSavepoint = needsSavepoint
    }

    /// Does the work inside the writer's transaction.
    /// - Throws: What the work threw. `unavailable` ends the whole transaction, other errors only this work.
    func run(in context: WriteContext) throws(StoreError) {}

    /// Tells the waiter, once the transaction has ended.
    /// - Parameter failure: Why the transaction was undone; `nil` when it is durable.
    func resume(failure: StoreError?) {}
}

/// A job whose waiter is a suspended task, resumed on its own executor.
final class AwaitedWriteJob<Result: Sendable>: WriteJob, @unchecked Sendable {
    typealias Outcome = Swift.Result<Result, StoreError>

    private let work: @Sendable (WriteContext) throws(StoreError) -> Result
    private let waiter: UnsafeContinuation<Outcome, Never>
    private var outcome: Outcome?

    init(
        needsSavepoint: Bool, work: @escaping @Sendable (WriteContext) throws(StoreError) -> Result,
        waiter: UnsafeContinuation<Outcome, Never>
    ) {
        self.work = work
        self.waiter = waiter
        super.init(needsSavepoint: needsSavepoint)
    }

    override func run(in context: WriteContext) throws(StoreError) {
        do {
            outcome = .success(try work(context))
        } catch {
            outcome = .failure(error)
            throw error
        }
    }

    override func resume(failure: StoreError?) {
        if let failure { return waiter.resume(returning: .failure(failure)) }
        waiter.resume(returning: outcome ?? .failure(.unavailable("The write was not run.")))
    }
}
