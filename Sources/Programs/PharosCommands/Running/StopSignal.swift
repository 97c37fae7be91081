import Glibc

/// Waits until the program is asked to end: Ctrl-C, or `kill`.
enum StopSignal {
    /// Blocks the signals in every thread that is made later. Call it first.
    static func block() {
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Blocks the calling thread until one of the signals comes.
    static func wait() {
        var set = signalSet
        var received: Int32 = 0
        while sigwait(&set, &received) != 0 {}
    }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        return set
    }
}
