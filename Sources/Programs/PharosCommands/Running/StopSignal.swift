import Glibc

/// Waits until the program is asked to end: Ctrl-C, or `kill`.
///
/// Blocking the signals and waiting for them is not enough: libdispatch keeps a thread that takes every signal, and
/// there they end the program. The handler writes to a pipe instead; a second signal ends the program at once.
enum StopSignal {
    /// Both ends of the pipe; made before the first signal can come.
    private static let channel: (reader: Int32, writer: Int32) = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        return (ends[0], ends[1])
    }()

    /// From now on the signals do not end the program. Call it first.
    static func catchSignals() {
        _ = channel
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in StopSignal.note() }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
        for number in [SIGINT, SIGTERM] { sigaction(number, &action, nil) }
    }

    /// Runs inside the signal handler: only calls that are allowed there.
    private static func note() {
        var byte: UInt8 = 0
        _ = write(channel.writer, &byte, 1)
    }

    /// Blocks the calling thread until one of the signals comes.
    static func wait() {
        var byte: UInt8 = 0
        while read(channel.reader, &byte, 1) < 0, errno == EINTR {}
    }
}
