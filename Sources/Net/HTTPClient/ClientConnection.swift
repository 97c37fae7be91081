import Compression
import EventLoop
import HTTP1Wire
import HTTPSemantics
import Transport

/// One HTTP/1.1 connection of a client: one request at a time.
final class ClientConnection {
    private enum State {
        case connecting
        /// Waits for the proxy's answer to CONNECT.
        case tunnelling(HTTP1ResponseParser)
        case ready
        case ended
    }

    let origin: ConnectionPool.Origin
    private let pool: ConnectionPool
    private var connection: Connection?
    private var state = State.connecting
    private var exchange: ClientExchange?
    private var parser = HTTP1ResponseParser(to: "GET")
    private var response: HTTP1ResponseStart?
    private var body: [UInt8] = []
    private var requestsSent = 0
    private var hasAnswerBegun = false

    private var configuration: HTTPClientConfiguration { pool.configuration }

    init(pool: ConnectionPool, origin: ConnectionPool.Origin) {
        self.pool = pool
        self.origin = origin
    }

    /// Whether a request may be sent now.
    var isUsable: Bool {
        guard case .ready = state else { return false }
        return exchange == nil && connection?.isOpen == true
    }

    func connect(for exchange: ClientExchange) {
        take(exchange)
        let target = configuration.proxy ?? configuration.redirect ?? .init(host: origin.host, port: origin.port)
        let isDirect = configuration.proxy == nil
        connection = Connection.connect(
            host: target.host, port: target.port, on: pool.loop, deadline: configuration.connectDeadline,
            tls: origin.isSecure && isDirect ? pool.tls : nil, serverName: origin.host,
            allowsAddress: configuration.allowsAddress, handler: self)
    }

    private func take(_ exchange: ClientExchange) {
        self.exchange = exchange
        exchange.connection = self
    }

    /// Sends a request on a connection that is `isUsable`.
    func begin(_ exchange: ClientExchange) {
        take(exchange)
        connection?.idleLimit = nil
        response = nil
        body = []
        hasAnswerBegun = false
        if requestsSent == 0 { parser = HTTP1ResponseParser(to: exchange.request.method) }
        parser.expectResponse(to: exchange.request.method)
        requestsSent += 1
        var output: [UInt8] = []
        let request = exchange.request
        let head = HTTPRequestHead(
            method: request.method, target: request.url.target, authority: request.url.authority,
            fields: request.fields)
        let isForwarded = configuration.proxy != nil && !origin.isSecure
        HTTP1Serializer.write(
            HTTPRequest(head: head, body: request.body), target: isForwarded ? request.url.description : nil,
            into: &output)
        connection?.write(output)
    }

    /// The caller does not wait any more; the answer that is to come has no place.
    func abandon(_ exchange: ClientExchange) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        connection?.abort()
    }

    func shutDown() {
        connection?.abort()
    }

    // MARK: Answers

    private func readAnswer() {
        while let exchange {
            switch parser.nextEvent() {
            case .head(let start): beginAnswer(start)
            case .body(let bytes): collect(bytes)
            case .end: return finish(exchange)
            case .failed(let error): fail(error == .truncated ? .connectionLost : .malformedResponse)
            case nil: return
            }
        }
    }

    private func beginAnswer(_ start: HTTP1ResponseStart) {
        response = start
        if case .length(let count) = start.body, count > configuration.maximumResponseBytes { fail(.responseTooLarge) }
    }

    private func collect(_ bytes: [UInt8]) {
        guard bytes.count <= configuration.maximumResponseBytes - body.count else { return fail(.responseTooLarge) }
        if body.isEmpty { body = bytes } else { body += bytes }
    }

    private func finish(_ exchange: ClientExchange) {
        guard let response else { return fail(.malformedResponse) }
        let result = decoded(response)
        self.exchange = nil
        body = []
        exchange.finish(result)
        // A server that answers before it has read the whole request cannot tell where the next one begins.
        guard response.keepsAlive, parser.unreadBytes == 0, let connection, connection.bufferedBytes == 0,
            connection.isOpen
        else {
            connection?.close()
            return
        }
        connection.idleLimit = configuration.idleLimit
        pool.release(self)
    }

    private func decoded(_ response: HTTP1ResponseStart) -> Result<HTTPResponse, HTTPClientError> {
        let codings = response.fields.listMembers(of: "content-encoding").filter { $0 != "identity" }
        guard codings == ["gzip"], !body.isEmpty else {
            return .success(HTTPResponse(status: response.status, fields: response.fields, body: body))
        }
        do throws(CompressionError) {
            let text = try Inflation.inflate(body, format: .gzip, maximumBytes: configuration.maximumResponseBytes)
            var fields = response.fields
            fields["content-encoding"] = nil
            fields["content-length"] = nil
            return .success(HTTPResponse(status: response.status, fields: fields, body: text))
        } catch .tooLarge {
            return .failure(.responseTooLarge)
        } catch {
            return .failure(.malformedResponse)
        }
    }

    private func fail(_ error: HTTPClientError) {
        let failed = exchange
        exchange = nil
        failed?.finish(.failure(error))
        connection?.abort()
    }

    // MARK: Proxies

    private func openTunnel(_ connection: Connection) {
        state = .tunnelling(HTTP1ResponseParser(to: "CONNECT"))
        let host = HTTPURL(isSecure: true, host: origin.host, port: origin.port).hostAndPort
        var output: [UInt8] = []
        HTTP1Serializer.write(
            HTTPRequest(head: HTTPRequestHead(method: "CONNECT", target: host, authority: host)), into: &output)
        connection.write(output)
    }

    private func readTunnelAnswer(_ parser: HTTP1ResponseParser, _ connection: Connection) {
        var parser = parser
        let event = parser.nextEvent()
        state = .tunnelling(parser)
        switch event {
        case nil: return
        case .head(let start) where (200..<300).contains(start.status) && parser.unreadBytes == 0:
            state = .connecting
            connection.startTLS(pool.tls, serverName: origin.host)
        case .head(let start): fail(.cannotConnect(detail: "the proxy answered \(start.status)"))
        default: fail(.cannotConnect(detail: "the proxy did not answer in HTTP"))
        }
    }
}

extension ClientConnection: ConnectionHandler {
    func opened(_ connection: Connection) {
        if configuration.proxy != nil, origin.isSecure, connection.security == nil { return openTunnel(connection) }
        state = .ready
        guard let exchange else { return pool.release(self) }
        begin(exchange)
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        if case .tunnelling(var parser) = state {
            parser.receive(bytes)
            return readTunnelAnswer(parser, connection)
        }
        // Bytes that answer no request: the server is out of step.
        guard exchange != nil else { return connection.abort() }
        hasAnswerBegun = true
        parser.receive(bytes)
        readAnswer()
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        if case .tunnelling = state { fail(.cannotConnect(detail: "the proxy closed the connection")) }
        if let exchange, hasAnswerBegun, !truncated, case .end? = parser.receiveEnd() { finish(exchange) }
        connection.close()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        let wasReady = if case .ready = state { true } else { false }
        state = .ended
        self.connection = nil
        pool.forget(self)
        guard let lost = exchange else { return }
        exchange = nil
        let isStale = wasReady && requestsSent > 1 && !hasAnswerBegun
        if isStale, lost.request.isIdempotent, lost.attempts < 3, !lost.isFinished { return pool.submit(lost) }
        lost.finish(.failure(Self.error(for: reason, wasReady: wasReady)))
    }

    private static func error(for reason: CloseReason, wasReady: Bool) -> HTTPClientError {
        switch reason {
        case .cannotConnect(let detail): .cannotConnect(detail: detail)
        case .addressRefused: .addressRefused
        case .timedOut: .timedOut
        case .tlsFailed(let detail): .tlsFailed(detail: detail)
        case .reset where !wasReady: .cannotConnect(detail: "the connection was reset")
        case .closedLocally, .reset, .idle, .stalled, .loopStopped: .connectionLost
        }
    }
}
