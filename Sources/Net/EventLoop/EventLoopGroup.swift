import Glibc
import Synchronization

/// The running loops of a process, one thread each.
public final class EventLoopGroup: Sendable {
    public let loops: [EventLoop]
    private let threads: Mutex<[LoopThread]>
    private let turn = Atomic(0)

    /// Starts the loops.
    ///
    /// - Parameter count: At least 1; lower values count as 1.
    /// - Throws: When the system has no descriptors or threads left; nothing is running then.
    public init(count: Int) throws(EventLoopError) {
        var loops: [EventLoop] = []
        var threads: [LoopThread] = []
        do throws(EventLoopError) {
            for index in 0..<max(1, count) {
                let loop = try EventLoop()
                guard let thread = LoopThread(named: "loop-\(index)", running: loop) else {
                    throw .system(call: "pthread_create", code: EAGAIN)
                }
                loops.append(loop)
                threads.append(thread)
            }
        } catch {
            for loop in loops { loop.requestStop() }
            for thread in threads { thread.join() }
            throw error
        }
        self.loops = loops
        self.threads = Mutex(threads)
    }

    /// The loops in turn.
    public func next() -> EventLoop {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: turn) % UInt(loops.count))]
    }

    /// Ends every loop and waits for the threads: handlers are told, queued work is finished, then the threads end.
    ///
    /// Blocks; work handed to a loop afterwards never runs.
    public func shutDown() {
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for loop in loops { loop.requestStop() }
        for thread in threads { thread.join() }
    }
}
