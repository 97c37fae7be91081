import EventLoop
import FirebasePlatform

/// The main thread of a virtual iPhone: an event loop that it may share with other phones.
struct LoopMainExecutor: MainExecutor {
    let loop: EventLoop

    var isCurrent: Bool { loop.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        _ = loop.execute(work)
    }
}

extension EventLoop {
    /// The executors of phones on this loop.
    var phoneExecutors: Executors {
        Executors(main: LoopMainExecutor(loop: self), background: self)
    }
}
