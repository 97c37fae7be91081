import Glibc

/// A thread of our own, because what it does blocks on the disk.
// Sendable: `handle` is written before the thread is shared and read by the one caller that joins.
final class WriterThread: @unchecked Sendable {
    private final class Start {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private var handle: pthread_t?

    /// - Returns: Whether the system gave a thread.
    func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(body: body))
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                start.body()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            return false
        }
        handle = thread
        return true
    }

    /// Waits for the end of the thread. Later calls return at once.
    func join() {
        guard let thread = handle else { return }
        handle = nil
        pthread_join(thread, nil)
    }
}
