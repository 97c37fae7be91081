import CLinux
import Glibc
import Synchronization

/// One thread that waits for descriptors, timers and jobs, and runs what became ready, one thing at a time.
///
/// It is a serial executor and a task executor: `Task(executorPreference: loop)` and an actor with the loop as its
/// executor run on this thread. Reports are edge-triggered epoll.
///
/// `@unchecked Sendable`: `inbox` and `stopRequested` are guarded by themselves, everything else is touched on the
/// loop's thread only.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// Bytes in `scratch`.
    public static let scratchBytes = 65_536
    private static let eventsPerWait = 256
    /// Rounds of work between two looks at the descriptors, so that jobs which spawn jobs cannot starve them.
    private static let roundsPerWait = 8
    /// Looks at the descriptors before late timers fire.
    private static let looksPerWait = 64

    let epoll: Int32
    private let wakeUp: Int32
    private let inbox = LockedInbox()
    private let stopRequested = Atomic(false)

    var timers = TimerHeap()
    var descriptors = DescriptorTable()
    /// The handlers have been told of the end: nothing new is watched.
    private(set) var isStopping = false
    private var timersScheduled: UInt64 = 0
    private var work: [LoopWork] = []
    private var spareWork: [LoopWork] = []
    private var flushes: [any BatchFlushing] = []
    private var spareFlushes: [any BatchFlushing] = []
    private let events: UnsafeMutableBufferPointer<epoll_event>

    /// When the running round began: a clock without a call, for deadlines that need no precision.
    public private(set) var batchTime = MonotonicTime.now()

    /// A read buffer shared by everything on this loop; its content lasts until the callback that filled it returns.
    public let scratch: UnsafeMutableRawBufferPointer

    /// - Throws: When the process is out of descriptors.
    public init() throws(EventLoopError) {
        pharos_ignore_broken_pipes()
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system(call: "epoll_create1", code: errno) }
        let wakeUp = pharos_eventfd()
        guard wakeUp >= 0 else {
            let code = errno
            close(epoll)
            throw .system(call: "eventfd", code: code)
        }
        self.epoll = epoll
        self.wakeUp = wakeUp
        scratch = .allocate(byteCount: Self.scratchBytes, alignment: 16)
        events = .allocate(capacity: Self.eventsPerWait)
        events.initialize(repeating: epoll_event())
        var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data(u64: .max))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event)
    }

    deinit {
        close(epoll)
        close(wakeUp)
        scratch.deallocate()
        events.deallocate()
    }

    /// The loop whose thread is running, if any.
    public static var current: EventLoop? {
        pharos_thread_context().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the caller runs on this loop's thread.
    public var isCurrent: Bool {
        pharos_thread_context() == Unmanaged.passUnretained(self).toOpaque()
    }

    func checkThread() {
        precondition(isCurrent, "called from outside the event loop's thread")
    }

    // MARK: Work

    /// Runs the action on the loop, after what is running now; callable from every thread.
    ///
    /// - Returns: `false` when the loop has ended and the action will never run.
    @discardableResult
    public func execute(_ action: @escaping @Sendable () -> Void) -> Bool {
        submit(.action(action))
    }

    /// Like `execute`, for actions that stay on this thread.
    public func executeLater(_ action: @escaping () -> Void) {
        checkThread()
        work.append(.action(action))
    }

    /// Calls `flushBatch()` once, when this round's events and jobs are done. On the loop's thread only.
    public func flushAfterBatch(_ flushing: any BatchFlushing) {
        checkThread()
        flushes.append(flushing)
    }

    /// Calls the action once, that long from now. On the loop's thread only.
    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledTimer {
        checkThread()
        timersScheduled &+= 1
        let deadline = MonotonicTime.now().adding(delay)
        let timer = ScheduledTimer(deadline: deadline, order: timersScheduled, loop: self, action: action)
        timers.insert(timer)
        return timer
    }

    @discardableResult
    func submit(_ item: LoopWork) -> Bool {
        if isCurrent {
            work.append(item)
            return true
        }
        let needsSignal: Bool? = inbox.withLock { inbox in
            guard !inbox.isClosed else { return nil }
            inbox.work.append(item)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        guard let needsSignal else { return false }
        if needsSignal { signal() }
        return true
    }

    /// Makes the thread end after it has told every handler. Returns at once.
    func requestStop() {
        stopRequested.store(true, ordering: .releasing)
        signal()
    }

    /// Ends the wait of the loop's thread. A full counter already does.
    private func signal() {
        var one: UInt64 = 1
        write(wakeUp, &one, 8)
    }

    // MARK: The thread

    func run() {
        while !stopRequested.load(ordering: .acquiring) {
            runWork()
            wait()
            fireTimers()
        }
        runWork()
        isStopping = true
        for handler in descriptors.handlers { handler.loopIsStopping() }
        runWork()
        inbox.withLock { $0.isClosed = true }
        runWork()
    }

    private func runWork() {
        for _ in 0..<Self.roundsPerWait {
            collectInbox()
            if work.isEmpty && flushes.isEmpty { return }
            batchTime = .now()
            swap(&work, &spareWork)
            for item in spareWork { perform(item) }
            spareWork.removeAll(keepingCapacity: true)
            if work.isEmpty { flushBatches() }
        }
        flushBatches()
    }

    private func perform(_ item: LoopWork) {
        switch item {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .action(let action): action()
        }
    }

    private func flushBatches() {
        guard !flushes.isEmpty else { return }
        swap(&flushes, &spareFlushes)
        for flushing in spareFlushes { flushing.flushBatch() }
        spareFlushes.removeAll(keepingCapacity: true)
    }

    private func collectInbox() {
        inbox.withLock { inbox in
            inbox.isSignalled = false
            guard !inbox.work.isEmpty else { return }
            work.append(contentsOf: inbox.work)
            inbox.work.removeAll(keepingCapacity: inbox.work.count < 1024)
        }
    }

    /// What has arrived by now is heard before a timer says that nothing came: after a busy time many timers are late,
    /// and more descriptors are ready than one look finds.
    private func wait() {
        var milliseconds = waitMilliseconds()
        for _ in 0..<Self.looksPerWait {
            let count = Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds))
            batchTime = .now()
            for index in 0..<max(0, count) { dispatch(events[index]) }
            guard count == events.count, let first = timers.first, first.deadline <= batchTime else { return }
            milliseconds = 0
        }
    }

    private func dispatch(_ event: epoll_event) {
        guard let handler = descriptors.handler(forMark: event.data.u64) else { return clearWakeUp(event) }
        var ready: ReadyEvents = []
        if event.events & EPOLLIN.rawValue != 0 { ready.insert(.readable) }
        if event.events & EPOLLRDHUP.rawValue != 0 { ready.formUnion([.readable, .peerClosed]) }
        if event.events & EPOLLOUT.rawValue != 0 { ready.insert(.writable) }
        if event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { ready.insert(.hangUp) }
        handler.ready(ready)
    }

    private func clearWakeUp(_ event: epoll_event) {
        guard event.data.u64 == .max else { return }
        var count: UInt64 = 0
        read(wakeUp, &count, 8)
    }

    /// How long the loop may sleep: -1 is for ever.
    private func waitMilliseconds() -> Int32 {
        guard work.isEmpty, flushes.isEmpty else { return 0 }
        guard let first = timers.first else { return -1 }
        let nanoseconds = first.deadline.since(.now()).wholeNanoseconds
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }

    private func fireTimers() {
        guard timers.first != nil else { return }
        while let timer = timers.popDue(at: batchTime) {
            let action = timer.action
            timer.action = nil
            action?()
        }
    }
}
