import Glibc
import Testing

/// A child process that uses a store and prints a line for each answer that it gets.
struct Probe {
    private let process: pid_t
    private let output: Int32

    /// - Parameter work: Another word than the usual one for what the process does.
    init(_ dataDirectory: String, work: String = "queue") throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var arguments = [strdup(Self.path), strdup(dataDirectory), strdup(work), nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let code = posix_spawn(&child, Self.path, &actions, nil, &arguments, nil)
        close(ends[1])
        try #require(code == 0, "\(Self.path) cannot be started")
        (process, output) = (child, ends[0])
    }

    /// The probe is built beside the tests.
    private static var path: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let tests = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return tests.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/store-crash-probe"
    }

    /// Reads so many lines, kills the process, and reads what it had still answered.
    func linesUntilKilled(after count: Int) throws -> [Substring] {
        var lines = 0
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let size = read(output, &buffer, buffer.count)
            guard size > 0 else { break }
            text += buffer.prefix(size)
            let before = lines
            lines += buffer.prefix(size).count { $0 == UInt8(ascii: "\n") }
            if before < count, lines >= count { kill(process, SIGKILL) }
        }
        close(output)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        try #require(status & 0x7f == SIGKILL, "the probe ended by itself")
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
    }
}
