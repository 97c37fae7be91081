import Glibc

/// A thread for one piece of blocking work.
enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    static func run(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        if result == 0 { pthread_detach(thread) } else { work.release() }
    }
}
