import Synchronization

/// Both executors of a device, run by hand: nothing happens until `drain()`, and then everything in a known order.
public final class ManualExecutor: TaskExecutor, MainExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var mainWork: [@Sendable () -> Void] = []
    }

    @TaskLocal private static var runningMain: ObjectIdentifier?

    private let state = Mutex(State())

    public init() {}

    public var executors: Executors { Executors(main: self, background: self) }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    public var isCurrent: Bool { Self.runningMain == ObjectIdentifier(self) }

    public func enqueue(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.mainWork.append(work) }
    }

    /// Runs until nothing is left to run: background tasks first, then one piece of main work, and again.
    public func drain() {
        while true {
            if let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let work = state.withLock({ $0.mainWork.isEmpty ? nil : $0.mainWork.removeFirst() }) {
                onMain(work)
            } else {
                return
            }
        }
    }

    /// Runs `work` now, as if on the main executor.
    public func onMain<Result>(_ work: () throws -> Result) rethrows -> Result {
        try Self.$runningMain.withValue(ObjectIdentifier(self), operation: work)
    }
}
