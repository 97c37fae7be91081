import CLinux
import Glibc

/// A blocking socket for tests: sends exactly the bytes it is told, and judges servers without any of their code.
///
/// Every wait ends after a minute at the latest, with an error.
public final class RawClient {
    public enum Failure: Error {
        case cannotConnect, timedOut, reset, threadUnavailable
    }

    private let descriptor: Int32
    private static let patienceMilliseconds: Int32 = 60_000

    public init(port: UInt16) throws(Failure) {
        descriptor = pharos_connect("127.0.0.1", port)
        guard descriptor >= 0 else { throw .cannotConnect }
        try waitFor(Int16(POLLOUT))
        guard pharos_socket_error(descriptor) == 0 else { throw .cannotConnect }
    }

    deinit {
        close(descriptor)
    }

    /// Runs a script with a connected client on a thread of its own, so that its waits block nobody else.
    public static func run<Result: Sendable>(
        port: UInt16, _ script: @escaping @Sendable (RawClient) throws -> Result
    ) async throws -> Result {
        try await BlockingThread.run { try script(RawClient(port: port)) }
    }

    public func send(_ text: String) throws(Failure) {
        try send(Array(text.utf8))
    }

    public func send(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { pharos_send(descriptor, $0.baseAddress, $0.count) }
            if sent > 0 { rest = rest.dropFirst(sent) }
            if sent == -Int(EAGAIN) { try waitFor(Int16(POLLOUT)) } else if sent < 0 { throw .reset }
        }
    }

    /// Sends no more, but still reads.
    public func finishSending() {
        pharos_shutdown_writing(descriptor)
    }

    /// Closes with a reset instead of a goodbye.
    public func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// What has arrived, at least one byte; empty at the end of the stream.
    public func receive() throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = buffer.withUnsafeMutableBytes { pharos_receive(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return Array(buffer.prefix(count)) }
            guard count == -Int(EAGAIN) else { throw .reset }
            try waitFor(Int16(POLLIN))
        }
    }

    /// Everything up to the end of the stream.
    public func receiveToEnd() throws(Failure) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let more = try receive()
            if more.isEmpty { return all }
            all += more
        }
    }

    /// At least so many bytes; fewer only when the stream ends before.
    public func receive(atLeast count: Int) throws(Failure) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let more = try receive()
            if more.isEmpty { break }
            all += more
        }
        return all
    }

    /// What arrives within that time; empty when nothing does, or at the end of the stream.
    public func receiveIfAny(withinMilliseconds limit: Int32) throws(Failure) -> [UInt8] {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, limit) > 0 ? try receive() : []
    }

    private func waitFor(_ events: Int16) throws(Failure) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        guard poll(&entry, 1, Self.patienceMilliseconds) > 0 else { throw .timedOut }
    }
}
