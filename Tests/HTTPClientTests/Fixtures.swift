import EventLoop
import HTTPSemantics
import HTTPServer
import NetTesting
import Synchronization
import Transport

@testable import HTTPClient

/// Echoes the request, and says on which of its connections it came.
struct EchoHandler: HTTPHandler {
    let connectionNumber: Int

    func bodyLimitBytes(for head: HTTPRequestHead) -> Int { 10_000_000 }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var fields = HTTPFields([
            ("x-connection", String(connectionNumber)), ("x-method", request.head.method),
            ("x-target", request.head.target), ("x-authority", request.head.authority),
            ("x-type", request.head.fields["content-type"] ?? ""),
        ])
        switch request.head.path {
        case "/hang":
            try? await Task.sleep(for: .seconds(60))
            return HTTPResponse(status: 504)
        case "/large": return HTTPResponse(status: 200, fields: fields, body: [UInt8](repeating: 65, count: 500_000))
        case "/text":
            fields.append("content-type", "text/plain")
            return HTTPResponse(status: 200, fields: fields, body: [UInt8](repeating: 65, count: 50_000))
        case "/teapot": return HTTPResponse(status: 418, fields: fields)
        default: return HTTPResponse(status: 200, fields: fields, body: request.body)
        }
    }
}

/// A server, a client and their loops.
struct World {
    let group: EventLoopGroup
    let server: HTTPServer
    let listener: Listener
    let client: HTTPClient

    func url(_ target: String = "/", host: String = "127.0.0.1", isSecure: Bool = false) -> HTTPURL {
        HTTPURL(isSecure: isSecure, host: host, port: listener.port, target: target)
    }
}

func withWorld<Result>(
    secure: Bool = false, client clientConfiguration: HTTPClientConfiguration = HTTPClientConfiguration(),
    server serverConfiguration: HTTPServerConfiguration = HTTPServerConfiguration(),
    _ body: (World) async throws -> Result
) async throws -> Result {
    let group = try EventLoopGroup(count: 2)
    defer { group.shutDown() }
    let counter = Mutex(0)
    let server = HTTPServer(serverConfiguration, loops: group.loops) { _ in
        EchoHandler(
            connectionNumber: counter.withLock { count in
                count += 1
                return count
            })
    }
    var options = ListenerOptions()
    if secure { options.tls = try serverTLS() }
    let listener = try server.listen(options)
    let client = try HTTPClient(clientConfiguration, loop: group.next())
    return try await body(World(group: group, server: server, listener: listener, client: client))
}

func serverTLS() throws -> TLSServerContext {
    let identity = TLSIdentity(certificateChainPEM: TestCertificates.chain, privateKeyPEM: TestCertificates.key)
    return try TLSServerContext(identity: identity, protocols: HTTPServer.protocols, readAhead: true)
}

/// Sends what it is told to every client, whatever that asks, and closes if so told.
final class ScriptedHandler: ConnectionHandler {
    private let answer: [UInt8]
    private let closes: Bool

    init(_ answer: String, closes: Bool = false) {
        self.answer = Array(answer.utf8)
        self.closes = closes
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        connection.write(answer)
        if closes { connection.close() }
    }

    func closed(_ connection: Connection, reason: CloseReason) {}
}

/// The least that a CONNECT proxy does: answers 200 and joins two connections.
final class TunnelHandler: ConnectionHandler {
    private let target: HTTPClientConfiguration.Endpoint
    private let status: String
    private var peer: Connection?

    init(to target: HTTPClientConfiguration.Endpoint, status: String = "200 OK") {
        self.target = target
        self.status = status
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        if let peer { return peer.write(bytes) }
        connection.pauseReading()
        peer = Connection.connect(
            host: target.host, port: target.port, on: connection.loop, deadline: .seconds(5),
            handler: Far(near: connection, greeting: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"))
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        peer?.close()
    }

    private final class Far: ConnectionHandler {
        private let near: Connection
        private let greeting: String

        init(near: Connection, greeting: String) {
            self.near = near
            self.greeting = greeting
        }

        func opened(_ connection: Connection) {
            near.write(Array(greeting.utf8))
            near.resumeReading()
        }

        func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
            near.write(bytes)
        }

        func closed(_ connection: Connection, reason: CloseReason) {
            near.close()
        }
    }
}
