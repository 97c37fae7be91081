import EventLoop
import HTTPSemantics
import NetTesting
import Synchronization
import Transport

@testable import HTTPServer

/// Answers by path, and counts what reached it.
final class TestHandler: HTTPHandler {
    static let bodyLimitBytes = 100_000

    let seen = Mutex<[HTTPRequest]>([])
    let gate = Gate()

    func bodyLimitBytes(for head: HTTPRequestHead) -> Int {
        Self.bodyLimitBytes
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        seen.withLock { $0.append(request) }
        switch request.head.path {
        case "/echo": return HTTPResponse(status: 200, fields: HTTPFields([("x-seen", "yes")]), body: request.body)
        case "/gate":
            await gate.wait()
            return HTTPResponse(status: 200, contentType: "text/plain", text: "passed")
        case "/isolated": return await isolated()
        case "/refused": return HTTPResponse(status: 401, contentType: "text/plain", text: "no")
        case "/large":
            return HTTPResponse(status: 200, contentType: "text/plain", text: String(repeating: "x", count: 2_000_000))
        case "/pieces": return pieces()
        case "/empty": return HTTPResponse(status: 204)
        case "/rogue":
            let fields = HTTPFields([
                ("content-length", "1"), ("transfer-encoding", "chunked"), ("x-split", "a\r\nx-forged: b"),
            ])
            return HTTPResponse(status: 200, fields: fields, body: Array("rogue".utf8))
        case "/nonsense": return HTTPResponse(status: 42)
        default: return HTTPResponse(status: 404, contentType: "text/plain", text: "not here")
        }
    }

    /// A body of three hundred pieces of ten thousand bytes.
    static let pieces: [[UInt8]] = (0..<300).map { [UInt8](repeating: UInt8($0 % 251), count: 10_000) }
    /// Pieces that were asked for.
    let asked = Atomic(0)

    private func pieces() -> HTTPResponse {
        HTTPResponse(
            status: 200, fields: HTTPFields([("content-type", "text/plain")]), body: Array("begin".utf8),
            stream: HTTPBodyStream { [self] in
                let place = asked.wrappingAdd(1, ordering: .relaxed).oldValue
                return place < Self.pieces.count ? Self.pieces[place] : nil
            })
    }

    /// Whether the handler stays on its loop across waits for other threads.
    private func isolated() async -> HTTPResponse {
        let start = EventLoop.current
        for _ in 0..<5 {
            await Task.detached {}.value
            guard let loop = EventLoop.current, loop === start else { return HTTPResponse(status: 500) }
        }
        return HTTPResponse(status: 200)
    }

    var seenCount: Int { seen.withLock { $0.count } }
}

/// Holds handlers back until a test lets them go.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let (passes, observers) = state.withLock { state in
                state.arrived += 1
                if !state.isOpen { state.waiting.append(continuation) }
                let arrived = state.arrived
                defer { state.observers.removeAll { $0.count <= arrived } }
                return (state.isOpen, state.observers.filter { $0.count <= arrived }.map(\.continuation))
            }
            if passes { continuation.resume() }
            for observer in observers { observer.resume() }
        }
    }

    /// Waits until so many handlers have come here.
    func arrival(of count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.arrived < count { state.observers.append((count, continuation)) }
                return state.arrived >= count
            }
            if isMet { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A running server with its port.
struct RunningServer {
    let server: HTTPServer
    let listener: Listener
    let handler: TestHandler
    let group: EventLoopGroup
    let metrics: CountingMetrics

    var port: UInt16 { listener.port }
}

func withServer<Result>(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
    options: ListenerOptions = ListenerOptions(), _ body: (RunningServer) async throws -> Result
) async throws -> Result {
    let group = try EventLoopGroup(count: 2)
    defer { group.shutDown() }
    let handler = TestHandler()
    let metrics = CountingMetrics()
    let server = HTTPServer(configuration, loops: group.loops, metrics: metrics, handler: handler)
    let listener = try server.listen(options)
    return try await body(
        RunningServer(server: server, listener: listener, handler: handler, group: group, metrics: metrics))
}

final class CountingMetrics: HTTPServerMetrics {
    struct Counts: Sendable {
        var opened = 0
        var closed = 0
        var started = 0
        var ended: [HTTPExchange] = []
        var refused: [Int] = []
    }

    let counts = Mutex(Counts())

    func connectionOpened() { counts.withLock { $0.opened += 1 } }
    func connectionClosed() { counts.withLock { $0.closed += 1 } }
    func requestStarted() { counts.withLock { $0.started += 1 } }
    func requestEnded(_ exchange: HTTPExchange) { counts.withLock { $0.ended.append(exchange) } }
    func requestRefused(status: Int) { counts.withLock { $0.refused.append(status) } }
}

/// The answers in what a client received.
struct Answers {
    let text: String

    init(_ bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    var statuses: [Int] {
        text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst().compactMap {
            Int($0.prefix(3))
        }
    }
}

extension RawClient {
    /// Sends the bytes and reads until the server closes.
    static func ask(_ port: UInt16, _ request: [UInt8]) async throws -> Answers {
        try await run(port: port) { client in
            try client.send(request)
            return Answers(try client.receiveToEnd())
        }
    }

    static func ask(_ port: UInt16, _ request: String) async throws -> Answers {
        try await ask(port, Array(request.utf8))
    }
}
