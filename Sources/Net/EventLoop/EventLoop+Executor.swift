extension EventLoop {
    /// Takes a job of the concurrency runtime; without a lock when it comes from this thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    public func checkIsolated() {
        checkThread()
    }

    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }
}
