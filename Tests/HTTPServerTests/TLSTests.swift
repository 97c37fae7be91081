import EventLoop
import HTTP2Wire
import HTTPClient
import HTTPSemantics
import NetTesting
import Testing
import Transport

@testable import HTTPServer

@Suite struct `HTTP over TLS` {
    private static func options() throws -> ListenerOptions {
        var options = ListenerOptions()
        let identity = TLSIdentity(certificateChainPEM: TestCertificates.chain, privateKeyPEM: TestCertificates.key)
        options.tls = try TLSServerContext(identity: identity, protocols: HTTPServer.protocols, readAhead: true)
        return options
    }

    @Test func `HTTP/1.1 is spoken with those who offer it`() async throws {
        try await withServer(options: Self.options()) { running in
            var configuration = HTTPClientConfiguration()
            configuration.trust = .authorities(pem: TestCertificates.authority)
            let client = try HTTPClient(configuration, loop: running.group.next())
            let url = HTTPURL(isSecure: true, host: "localhost", port: running.port, target: "/echo")
            for index in 0..<20 {
                let body = [UInt8](repeating: UInt8(index), count: 1 << (index % 16))
                let response = try await client.send("POST", url, body: body)
                #expect(response.status == 200 && response.body == body)
            }
        }
    }

    @Test func `HTTP/2 is spoken with those who offer it`() async throws {
        let tls = try TLSClientContext(
            trust: .authorities(pem: TestCertificates.authority), protocols: ["h2", "http/1.1"])
        try await withServer(options: Self.options()) { running in
            let loop = running.group.next()
            let count = await withCheckedContinuation { continuation in
                loop.execute {
                    let client = LoopHTTP2Client(requests: 300) { continuation.resume(returning: $0) }
                    Connection.connect(
                        host: "localhost", port: running.port, on: loop, deadline: .seconds(10), tls: tls,
                        handler: client)
                }
            }
            #expect(count == 300)
        }
    }
}

/// Posts to `/echo` on one TLS connection and counts the right answers.
private final class LoopHTTP2Client: ConnectionHandler {
    private let session = HTTP2ClientSession()
    private let requests: Int
    private let done: (Int) -> Void
    private var bodies: [Int32: [UInt8]] = [:]
    private var closed = 0
    private var right = 0

    init(requests: Int, done: @escaping (Int) -> Void) {
        self.requests = requests
        self.done = done
    }

    func opened(_ connection: Connection) {
        guard connection.security?.applicationProtocol == "h2" else { return connection.abort() }
        let fields = [
            HTTP2Field(":method", "POST"), HTTP2Field(":scheme", "https"), HTTP2Field(":authority", "localhost"),
            HTTP2Field(":path", "/echo"),
        ]
        for index in 0..<requests {
            _ = try? session.submit(fields: fields, body: [UInt8](repeating: UInt8(index % 256), count: 300))
        }
        flush(connection)
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        for event in session.receive(bytes) {
            switch event {
            case .data(let stream, let bytes, _): bodies[stream, default: []] += bytes
            case .closed(let stream, _):
                closed += 1
                let expected = [UInt8](repeating: UInt8(Int(stream / 2) % 256), count: 300)
                if bodies[stream] == expected { right += 1 }
            default: break
            }
        }
        flush(connection)
        if closed == requests { connection.close() }
    }

    private func flush(_ connection: Connection) {
        var output: [UInt8] = []
        session.drainOutput(into: &output, maximum: .max)
        connection.write(output)
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        done(right)
    }
}
