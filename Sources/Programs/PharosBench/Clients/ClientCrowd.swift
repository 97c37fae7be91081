import EventLoop
import Transport

/// Many clients of one server on one loop: connects them, counts what they get, and tells who waits.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class ClientCrowd: @unchecked Sendable {
    /// Connects and logs in so many at a time.
    private static let loginsAtOnce = 128
    private static let loginDeadline = Duration.seconds(60)

    let loop: EventLoop
    private let address: (host: String, port: UInt16)
    private let tls: TLSClientContext
    private var clients: [BenchClient] = []
    private var remaining: [any ClientDialect] = []
    private var ready = 0
    private var wanted = 0
    /// Messages that arrived, and what waits for a number of them.
    private(set) var messages = 0
    private var wantedMessages = 0
    var receivedBytes = 0
    /// Takes the names of messages that other clients sent.
    var onNames: (([String]) -> Void)?
    private var failure: String?
    private var waiter: CheckedContinuation<MonotonicTime, any Error>?
    private var isEnding = false

    init(loop: EventLoop, address: (host: String, port: UInt16), tls: TLSClientContext) {
        self.loop = loop
        self.address = address
        self.tls = tls
    }

    /// Connects a client for each dialect and waits until all are logged in.
    func connect(_ dialects: [any ClientDialect]) async throws {
        nonisolated(unsafe) let dialects = dialects
        _ = try await onLoop { [self] in
            remaining += dialects.reversed()
            wanted += dialects.count
            for _ in 0..<Self.loginsAtOnce { connectNext() }
        }
    }

    /// Forgets what arrived so far, and expects so many messages.
    func expect(_ count: Int) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            loop.execute { [self] in
                (messages, receivedBytes, wantedMessages) = (0, 0, count)
                done.resume()
            }
        }
    }

    /// Waits until the expected messages are there.
    /// - Returns: When the last one came.
    func finish() async throws -> MonotonicTime {
        try await onLoop {}
    }

    /// The last client publishes a message.
    func publish(_ body: [UInt8]) {
        loop.execute { [self] in clients.last?.publish(body) }
    }

    /// On the loop's thread only.
    func send(_ name: String, bytes: Int, from client: Int) {
        clients[client].send(name, bytes: bytes)
    }

    func end() {
        loop.execute { [self] in
            isEnding = true
            for client in clients { client.end() }
        }
    }

    private func onLoop(_ action: @escaping @Sendable () -> Void) async throws -> MonotonicTime {
        try await withCheckedThrowingContinuation { continuation in
            loop.execute { [self] in
                waiter = continuation
                action()
                resumeIfDone()
            }
        }
    }

    private func connectNext() {
        guard let dialect = remaining.popLast() else { return }
        let client = BenchClient(dialect, of: self)
        clients.append(client)
        Connection.connect(
            host: address.host, port: address.port, on: loop, deadline: Self.loginDeadline, tls: tls,
            serverName: "localhost", handler: client)
    }

    // MARK: What the clients tell

    func advance(_ progress: ClientProgress) {
        if progress.isReady {
            ready += 1
            connectNext()
        }
        messages += progress.messages
        if !progress.names.isEmpty { onNames?(progress.names) }
        resumeIfDone()
    }

    func fail(_ text: String) {
        guard !isEnding else { return }
        failure = failure ?? text
        resumeIfDone()
    }

    private func resumeIfDone() {
        guard let waiter else { return }
        if let failure {
            self.waiter = nil
            waiter.resume(throwing: BenchFailure.failed(failure))
        } else if ready == wanted, messages >= wantedMessages {
            self.waiter = nil
            waiter.resume(returning: .now())
        }
    }
}
