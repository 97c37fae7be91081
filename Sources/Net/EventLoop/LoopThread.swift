import CLinux
import Glibc

/// The thread that runs one event loop.
struct LoopThread {
    private let handle: pthread_t

    /// Starts the thread, which keeps the loop alive until it has ended. `nil` when the system has no room for it.
    init?(named name: String, running loop: EventLoop) {
        let start = Unmanaged.passRetained(LoopThreadStart(name: name, loop: loop))
        var handle = pthread_t()
        let code = pthread_create(&handle, nil, runLoopThread, start.toOpaque())
        guard code == 0 else {
            start.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits until the thread has ended; at once when called on it.
    func join() {
        if pthread_equal(handle, pthread_self()) != 0 {
            pthread_detach(handle)
        } else {
            pthread_join(handle, nil)
        }
    }
}

private final class LoopThreadStart {
    let name: String
    let loop: EventLoop

    init(name: String, loop: EventLoop) {
        self.name = name
        self.loop = loop
    }
}

private func runLoopThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let start = Unmanaged<LoopThreadStart>.fromOpaque(context).takeRetainedValue()
    pharos_name_thread(start.name)
    pharos_set_thread_context(Unmanaged.passUnretained(start.loop).toOpaque())
    start.loop.run()
    pharos_set_thread_context(nil)
    return nil
}
