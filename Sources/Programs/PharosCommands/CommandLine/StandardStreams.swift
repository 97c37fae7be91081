import Glibc

/// Writing to the terminal, whole lines at a time.
enum StandardStreams {
    /// Prints a line to standard output.
    static func printLine(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// Prints a line to standard error.
    static func printError(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    /// Everything that standard input holds, at most `limit` bytes; `nil` when there is more.
    static func readInput(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { return nil }
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
