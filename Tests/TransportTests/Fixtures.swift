import EventLoop
import NetTesting
import Synchronization

@testable import Transport

/// What a handler was told, for tests to wait on.
final class EventLog: Sendable {
    struct Content: Sendable {
        var isOpen = false
        var security: ConnectionSecurity?
        var received: [UInt8] = []
        var inputEnd: Bool?
        var becameWritable = 0
        var closed: CloseReason?
    }

    private struct State {
        var content = Content()
        var waiters: [(isMet: @Sendable (Content) -> Bool, continuation: CheckedContinuation<Content, Never>)] = []
    }

    private let state = Mutex(State())

    func note(_ change: @Sendable (inout Content) -> Void) {
        let ready = state.withLock { state in
            change(&state.content)
            let content = state.content
            defer { state.waiters.removeAll { $0.isMet(content) } }
            return state.waiters.filter { $0.isMet(content) }.map { ($0.continuation, content) }
        }
        for (continuation, content) in ready { continuation.resume(returning: content) }
    }

    @discardableResult
    func wait(until isMet: @escaping @Sendable (Content) -> Bool) async -> Content {
        await withCheckedContinuation { continuation in
            let content: Content? = state.withLock { state in
                if isMet(state.content) { return state.content }
                state.waiters.append((isMet, continuation))
                return nil
            }
            if let content { continuation.resume(returning: content) }
        }
    }

    func closeReason() async -> CloseReason? {
        await wait { $0.closed != nil }.closed
    }
}

/// Notes everything; does what the test adds.
final class LoggingHandler: ConnectionHandler {
    let log: EventLog
    var onOpen: ((Connection) -> Void)?
    var onReceive: ((Connection, [UInt8]) -> Void)?
    var onInputEnd: (Connection) -> Void = { $0.close() }

    init(_ log: EventLog) {
        self.log = log
    }

    func opened(_ connection: Connection) {
        let security = connection.security
        log.note {
            $0.isOpen = true
            $0.security = security
        }
        onOpen?(connection)
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        let bytes = Array(bytes)
        log.note { $0.received += bytes }
        onReceive?(connection, bytes)
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        log.note { $0.inputEnd = truncated }
        onInputEnd(connection)
    }

    func becameWritable(_ connection: Connection) {
        log.note { $0.becameWritable += 1 }
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        log.note { $0.closed = reason }
    }
}

/// Sends back what it gets, and reads no faster than the peer reads.
final class EchoHandler: ConnectionHandler {
    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        connection.write(bytes)
        if !connection.isWritable { connection.pauseReading() }
    }

    func becameWritable(_ connection: Connection) {
        connection.resumeReading()
    }

    func closed(_ connection: Connection, reason: CloseReason) {}
}

/// Runs a test with loops and a listener, and ends both.
func withListener<Result: Sendable>(
    _ options: ListenerOptions = ListenerOptions(), loops: Int = 1,
    handler: @escaping @Sendable (Connection) -> any ConnectionHandler = { _ in EchoHandler() },
    _ body: (Listener, EventLoopGroup) async throws -> Result
) async throws -> Result {
    let group = try EventLoopGroup(count: loops)
    defer { group.shutDown() }
    let listener = try Listener(options, loops: group.loops, makeHandler: handler)
    defer { listener.stop() }
    return try await body(listener, group)
}

extension ListenerOptions {
    static func tls(
        protocols: [String] = [], clientCertificates: TLSServerContext.ClientCertificates = .ignored,
        readAhead: Bool = false, handsOverRecords: Bool = false
    ) throws -> ListenerOptions {
        var options = ListenerOptions()
        options.tls = try TLSServerContext(
            identity: .test, protocols: protocols, clientCertificates: clientCertificates, readAhead: readAhead,
            handsOverRecords: handsOverRecords)
        return options
    }
}

extension TLSIdentity {
    static var test: TLSIdentity {
        TLSIdentity(certificateChainPEM: TestCertificates.chain, privateKeyPEM: TestCertificates.key)
    }
}

/// Connects from a loop and logs what happens.
func connect(
    _ group: EventLoopGroup, port: UInt16, host: String = "127.0.0.1", deadline: Duration = .seconds(10),
    tls: TLSClientContext? = nil, serverName: String? = nil,
    onOpen: (@Sendable (Connection) -> Void)? = nil
) -> EventLog {
    let log = EventLog()
    let loop = group.next()
    loop.execute {
        let handler = LoggingHandler(log)
        handler.onOpen = onOpen
        Connection.connect(
            host: host, port: port, on: loop, deadline: deadline, tls: tls, serverName: serverName, handler: handler)
    }
    return log
}

/// Makes handlers that only note what happens.
func logging(into log: EventLog) -> @Sendable (Connection) -> any ConnectionHandler {
    { _ in LoggingHandler(log) }
}
