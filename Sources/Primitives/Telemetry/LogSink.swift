internal import Glibc
internal import Synchronization

/// Where log lines go.
public protocol LogSink: Sendable {
    /// - Parameter line: A whole line with its line end. Calls may come from any thread.
    func write(_ line: [UInt8])
}

/// Writes lines to a file descriptor that somebody else owns: standard error, or a file opened for appending.
public struct DescriptorLogSink: LogSink {
    private let descriptor: Int32

    /// - Parameter descriptor: 2 is standard error.
    public init(descriptor: Int32 = 2) {
        self.descriptor = descriptor
    }

    /// One `write` per line, so that lines of several threads and processes do not mix. A line that cannot be written
    /// is lost: logging must not stop the service.
    public func write(_ line: [UInt8]) {
        line.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// Keeps the last lines in memory: for tests and for showing recent lines.
public final class MemoryLogSink: LogSink {
    private let kept = Mutex<[String]>([])
    private let limit: Int

    public init(limit: Int = 1000) {
        self.limit = limit
    }

    public func write(_ line: [UInt8]) {
        kept.withLock { lines in
            lines.append(String(decoding: line, as: UTF8.self))
            if lines.count > limit { lines.removeFirst(lines.count - limit) }
        }
    }

    /// The lines, oldest first, each with its line end.
    public var lines: [String] { kept.withLock { $0 } }
}
