import EventLoop
import Glibc
import NetTesting
import Testing

@testable import Transport

@Suite struct `Plain connections` {
    @Test(arguments: [ListenerOptions.Spreading.kernel, .inTurn])
    func `every loop answers on one port`(spreading: ListenerOptions.Spreading) async throws {
        var options = ListenerOptions()
        options.spreading = spreading
        try await withListener(options, loops: 3) { listener, _ in
            for index in 0..<30 {
                let answer = try await RawClient.run(port: listener.port) { client in
                    try client.send("hello \(index)")
                    return try client.receive(atLeast: 7)
                }
                #expect(String(decoding: answer, as: UTF8.self) == "hello \(index)")
            }
        }
    }

    @Test(arguments: [ListenerOptions.Spreading.kernel, .inTurn])
    func `clients wait until the listener is told to accept`(spreading: ListenerOptions.Spreading) async throws {
        var options = ListenerOptions()
        options.spreading = spreading
        options.acceptsAtOnce = false
        try await withListener(options, loops: 2) { listener, group in
            let log = connect(group, port: listener.port) { $0.write([1, 2, 3]) }
            await log.wait { $0.isOpen }
            #expect(listener.openConnections == 0)
            listener.accept()
            listener.accept()
            #expect(await log.wait { !$0.received.isEmpty || $0.closed != nil }.received == [1, 2, 3])
        }
    }

    @Test func `a listener that never accepted can be stopped`() async throws {
        var options = ListenerOptions()
        options.acceptsAtOnce = false
        try await withListener(options) { listener, group in
            let log = connect(group, port: listener.port)
            await log.wait { $0.isOpen }
            listener.stop()
            #expect(await log.wait { $0.closed != nil || $0.inputEnd != nil }.received.isEmpty)
        }
    }

    @Test func `five megabytes come back whole, although the client reads late`() async throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let answer = try await withListener { listener, group in
            let log = connect(group, port: listener.port) { $0.write(bytes) }
            return await log.wait { $0.received.count == bytes.count || $0.closed != nil }.received
        }
        #expect(answer == bytes)
    }

    @Test func `a client that has ended its input still gets the answer`() async throws {
        let log = EventLog()
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in
            let handler = LoggingHandler(log)
            handler.onInputEnd = { connection in
                connection.write(Array("answer".utf8))
                connection.close()
            }
            return handler
        }
        try await withListener(handler: handler) { listener, _ in
            let answer = try await RawClient.run(port: listener.port) { client in
                try client.send("question")
                client.finishSending()
                return try client.receiveToEnd()
            }
            #expect(String(decoding: answer, as: UTF8.self) == "answer")
            #expect(await log.closeReason() == .closedLocally)
        }
    }

    @Test func `closing does not lose the answer although the peer has sent more than was read`() async throws {
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in
            let handler = LoggingHandler(EventLog())
            handler.onReceive = { connection, _ in
                connection.pauseReading()
                connection.write([UInt8](repeating: 7, count: 200_000))
                connection.close()
            }
            return handler
        }
        try await withListener(handler: handler) { listener, _ in
            let answer = try await RawClient.run(port: listener.port) { client in
                try client.send([UInt8](repeating: 1, count: 1_000_000))
                return try client.receiveToEnd()
            }
            #expect(answer.count == 200_000)
        }
    }

    @Test func `a port in use is refused, also to many loops`() async throws {
        try await withListener(loops: 2) { listener, group in
            var options = ListenerOptions()
            options.port = listener.port
            #expect(throws: TransportError.cannotListen(address: "127.0.0.1", port: listener.port, code: EADDRINUSE)) {
                _ = try Listener(options, loops: group.loops) { _ in EchoHandler() }
            }
        }
    }

    @Test(arguments: [
        (TransportError.cannotListen(address: "127.0.0.1", port: 1, code: EADDRINUSE), "Address already in use"),
        (.notAnAddress("localhost"), "“localhost” is no IPv4 or IPv6 address"),
        (.invalidCertificate(detail: "x"), "the certificate cannot be used: x"),
    ])
    func `a refusal reads as words`(error: TransportError, text: String) {
        #expect("\(error)" == text)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "127.0.0.1:80", "::1%lo0x"])
    func `only a numeric address can be listened on`(address: String) throws {
        var options = ListenerOptions()
        options.address = address
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        #expect(throws: TransportError.notAnAddress(address)) {
            _ = try Listener(options, loops: group.loops) { _ in EchoHandler() }
        }
    }

    @Test func `one connection above the maximum is closed, and its place can be taken again`() async throws {
        var options = ListenerOptions()
        options.maximumConnections = 2
        try await withListener(options) { listener, group in
            let logs = (0..<2).map { _ in
                connect(group, port: listener.port) { $0.write(Array("hi".utf8)) }
            }
            for log in logs { await log.wait { $0.received.count == 2 } }
            let refused = try await RawClient.run(port: listener.port) { try $0.receiveToEnd() }
            #expect(refused.isEmpty)
            #expect(listener.openConnections == 2)
        }
    }

    @Test func `a silent connection is closed at its idle limit`() async throws {
        var options = ListenerOptions()
        options.limits.idleLimit = .milliseconds(20)
        let log = EventLog()
        try await withListener(options, handler: logging(into: log)) { listener, _ in
            // On a busy machine the limit may have passed before the client has said anything.
            let rest = try await RawClient.run(port: listener.port) { client in
                try? client.send("once")
                return (try? client.receiveToEnd()) ?? []
            }
            #expect(rest.isEmpty)
            #expect(await log.closeReason() == .idle)
        }
    }

    @Test func `a peer that takes no bytes is closed at the stall limit`() async throws {
        var options = ListenerOptions()
        options.limits.stallLimit = .milliseconds(30)
        let log = EventLog()
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in
            let handler = LoggingHandler(log)
            handler.onOpen = { $0.write([UInt8](repeating: 0, count: 30_000_000)) }
            return handler
        }
        try await withListener(options, handler: handler) { listener, _ in
            let reason = try await BlockingClient.hold(port: listener.port) { await log.closeReason() }
            #expect(reason == .stalled)
        }
    }

    @Test func `writing to a peer that is gone reports a reset and does not end the process`() async throws {
        let log = EventLog()
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in
            let handler = LoggingHandler(log)
            handler.onInputEnd = { connection in
                for _ in 0..<3 { connection.loop.executeLater { connection.write([UInt8](repeating: 0, count: 100)) } }
                connection.loop.schedule(after: .milliseconds(5)) { connection.write([1, 2, 3]) }
                connection.loop.schedule(after: .milliseconds(10)) { connection.write([1, 2, 3]) }
            }
            return handler
        }
        try await withListener(handler: handler) { listener, _ in
            try await RawClient.run(port: listener.port) { try $0.send("x") }
            guard case .reset = await log.closeReason() else {
                Issue.record("not a reset")
                return
            }
        }
    }

    @Test func `the end of the loop closes its connections`() async throws {
        let group = try EventLoopGroup(count: 1)
        let log = EventLog()
        let listener = try Listener(ListenerOptions(), loops: group.loops) { _ in LoggingHandler(log) }
        let client = try RawClient(port: listener.port)
        await log.wait { $0.isOpen }
        group.shutDown()
        #expect(await log.closeReason() == .loopStopped)
        #expect(try client.receiveToEnd().isEmpty)
    }

    @Test func `nobody listening is told apart from nobody answering`() async throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        // Nobody listens on port 1 (tcpmux).
        guard case .cannotConnect = await connect(group, port: 1).closeReason() else {
            Issue.record("the connection was not refused")
            return
        }
        guard case .cannotConnect = await connect(group, port: 1, host: "no-such-host.invalid").closeReason() else {
            Issue.record("the name was found")
            return
        }
    }

    @Test func `localhost is found without a name server, by whichever family answers`() async throws {
        try await withListener { listener, group in
            let log = connect(group, port: listener.port, host: "localhost") { $0.write([42]) }
            #expect(await log.wait { !$0.received.isEmpty || $0.closed != nil }.received == [42])
        }
    }
}

enum BlockingClient {
    /// Keeps a connection open, reading nothing, while the body runs.
    static func hold<Result>(port: UInt16, _ body: () async -> Result) async throws -> Result {
        let client = try RawClient(port: port)
        let result = await body()
        withExtendedLifetime(client) {}
        return result
    }
}
