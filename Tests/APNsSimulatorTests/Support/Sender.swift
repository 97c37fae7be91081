import EventLoop
import HTTP2Wire
import HTTPSemantics
import Synchronization
import Timekeeping
import Transport

/// How one request of a test ended.
enum Answer: Equatable {
    case response(status: Int, fields: HTTPFields, body: String)
    /// RST_STREAM, or dropped by GOAWAY.
    case reset(HTTP2ErrorCode)
    case connectionLost

    var status: Int? { if case .response(let status, _, _) = self { status } else { nil } }
    var body: String? { if case .response(_, _, let body) = self { body } else { nil } }
    var fields: HTTPFields { if case .response(_, let fields, _) = self { fields } else { HTTPFields() } }
}

/// What a test sender saw on its connection.
struct SenderView: Sendable {
    var streamLimits: [Int] = []
    var goAways: [String] = []
    var lastStreams: [Int32] = []
    var goAwayCodes: [UInt32] = []
    var pingsAnswered = 0
    var closeReason: CloseReason?
    var dataFrames = 0
    var submitted = 0
}

/// A plain HTTP/2 client for tests. Requests given before it connects go out at once, whatever the limit will be.
///
/// `@unchecked Sendable`: everything but `view` is touched on the loop only.
final class Sender: ConnectionHandler, @unchecked Sendable {
    private struct Pending {
        var status = 0
        var fields = HTTPFields()
        var body: [UInt8] = []
        var isWhole = false
        let continuation: CheckedContinuation<Answer, Never>
    }

    private let loop: EventLoop
    private let session = HTTP2ClientSession()
    private var connection: Connection?
    private var pending: [Int32: Pending] = [:]
    private let view = Mutex(SenderView())
    private var waiters:
        [(isSatisfied: @Sendable (SenderView) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []

    private let port: UInt16
    private let tls: TLSClientContext

    init(
        port: UInt16, on loop: EventLoop, authorityPEM: String, protocols: [String] = ["h2"],
        identity: TLSIdentity? = nil
    ) throws {
        self.loop = loop
        self.port = port
        tls = try TLSClientContext(
            trust: .authorities(pem: Array(authorityPEM.utf8)), protocols: protocols, identity: identity)
    }

    /// `seen` tells when the server's SETTINGS came or the connection ended.
    func connect() {
        loop.execute { [self] in
            connection = Connection.connect(
                host: "127.0.0.1", port: port, on: loop, deadline: .seconds(30), tls: tls, handler: self)
        }
    }

    var seen: SenderView { view.withLock { $0 } }

    /// Waits until what was seen satisfies the condition.
    func wait(until isSatisfied: @escaping @Sendable (SenderView) -> Bool) async {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                if isSatisfied(seen) { return continuation.resume() }
                waiters.append((isSatisfied, continuation))
            }
        }
    }

    func send(_ fields: [HTTP2Field], body: [UInt8] = []) async -> Answer {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in submit(fields, body: body, continuation) }
        }
    }

    func ping() {
        loop.execute { [self] in
            try? session.ping(opaque: 7)
            flush()
        }
    }

    func close() {
        loop.execute { [self] in connection?.abort() }
    }

    private func submit(_ fields: [HTTP2Field], body: [UInt8], _ continuation: CheckedContinuation<Answer, Never>) {
        guard seen.closeReason == nil, let stream = try? session.submit(fields: fields, body: body) else {
            return continuation.resume(returning: .connectionLost)
        }
        pending[stream] = Pending(continuation: continuation)
        view.withLock { $0.submitted += 1 }
        flush()
    }

    private func flush() {
        while session.wantsWrite, connection?.isOpen == true {
            var output: [UInt8] = []
            session.drainOutput(into: &output)
            if output.isEmpty { break }
            connection?.write(output)
        }
        for event in session.takeEvents() { handle(event) }
        let view = seen
        let ready = waiters.filter { $0.isSatisfied(view) }
        waiters.removeAll { $0.isSatisfied(view) }
        for waiter in ready { waiter.continuation.resume() }
    }

    private func handle(_ event: HTTP2ClientEvent) {
        switch event {
        case .settings: view.withLock { $0.streamLimits.append(session.peerMaximumConcurrentStreams) }
        case .response(let stream, let status, let fields, let endStream):
            pending[stream]?.status = status
            pending[stream]?.fields = fields
            pending[stream]?.isWhole = endStream
        case .data(let stream, let bytes, let endStream):
            view.withLock { $0.dataFrames += 1 }
            pending[stream]?.body += bytes
            pending[stream]?.isWhole = endStream
        case .closed(let stream, let code): finish(stream, code)
        case .goAway(let last, let code, let debugData):
            view.withLock { view in
                view.goAways.append(String(decoding: debugData, as: UTF8.self))
                view.lastStreams.append(last)
                view.goAwayCodes.append(code.rawValue)
            }
        case .pingAcknowledged: view.withLock { $0.pingsAnswered += 1 }
        case .settingsAcknowledged, .ping, .failed: break
        }
    }

    private func finish(_ stream: Int32, _ code: HTTP2ErrorCode) {
        guard let ended = pending.removeValue(forKey: stream) else { return }
        let answer: Answer =
            ended.isWhole
            ? .response(
                status: ended.status, fields: ended.fields, body: String(decoding: ended.body, as: UTF8.self))
            : .reset(code)
        ended.continuation.resume(returning: answer)
    }

    func opened(_ connection: Connection) {
        flush()
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        for event in session.receive(bytes) { handle(event) }
        flush()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        view.withLock { $0.closeReason = reason }
        for stream in pending.keys.sorted() {
            pending.removeValue(forKey: stream)?.continuation.resume(returning: .connectionLost)
        }
        flush()
    }
}
