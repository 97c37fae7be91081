import EventLoop
import PushCore

/// Delays of the core on the timers of an event loop: the caller's own when it runs on one.
struct LoopScheduler: DelayScheduler {
    let loops: EventLoopGroup

    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        let delay = Duration.milliseconds(milliseconds)
        if let loop = EventLoop.current {
            loop.schedule(after: delay, action)
        } else {
            let loop = loops.next()
            _ = loop.execute { loop.schedule(after: delay, action) }
        }
    }
}
