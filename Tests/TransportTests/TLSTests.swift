import EventLoop
import NetTesting
import Testing

@testable import Transport

@Suite struct `TLS connections` {
    static func client(
        protocols: [String] = [], identity: TLSIdentity? = nil, authority: [UInt8] = TestCertificates.authority
    ) throws -> TLSClientContext {
        try TLSClientContext(trust: .authorities(pem: authority), protocols: protocols, identity: identity)
    }

    @Test(arguments: [false, true])
    func `megabytes come back whole`(readAhead: Bool) async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 17 &+ $0 >> 9) }
        let tls = try Self.client()
        let answer = try await withListener(.tls(readAhead: readAhead)) { listener, group in
            let log = connect(group, port: listener.port, tls: tls) { $0.write(bytes) }
            return await log.wait { $0.received.count == bytes.count || $0.closed != nil }
        }
        #expect(answer.received == bytes)
        #expect(answer.security?.version == "TLSv1.3")
        #expect(answer.security?.applicationProtocol == nil)
    }

    @Test(
        arguments: [
            (["h2", "http/1.1"], ["http/1.1", "h2"], "h2"), (["h2", "http/1.1"], ["http/1.1"], "http/1.1"),
            (["h2"], [], nil),
        ] as [([String], [String], String?)])
    func `the server's first choice among the client's protocols wins`(
        server: [String], offered: [String], chosen: String?
    ) async throws {
        let tls = try Self.client(protocols: offered)
        try await withListener(.tls(protocols: server)) { listener, group in
            let log = connect(group, port: listener.port, tls: tls)
            #expect(await log.wait { $0.isOpen || $0.closed != nil }.security?.applicationProtocol == chosen)
        }
    }

    @Test func `a client that offers only other protocols is refused`() async throws {
        let tls = try Self.client(protocols: ["imap"])
        try await withListener(.tls(protocols: ["h2"])) { listener, group in
            guard case .tlsFailed = await connect(group, port: listener.port, tls: tls).closeReason() else {
                Issue.record("the handshake passed")
                return
            }
        }
    }

    @Test func `the server sees the asked name and the client's certificate`() async throws {
        let log = EventLog()
        let tls = try Self.client(identity: .test)
        let options = try ListenerOptions.tls(clientCertificates: .requested)
        try await withListener(options, handler: logging(into: log)) { listener, group in
            _ = connect(group, port: listener.port, tls: tls, serverName: "service.example")
            let security = await log.wait { $0.isOpen }.security
            #expect(security?.serverName == "service.example")
            #expect(security?.peerCertificateDER?.first == 0x30)
        }
    }

    @Test func `a client without a certificate is served where one is only requested`() async throws {
        let log = EventLog()
        let tls = try Self.client()
        let options = try ListenerOptions.tls(clientCertificates: .requested)
        try await withListener(options, handler: logging(into: log)) { listener, group in
            _ = connect(group, port: listener.port, tls: tls)
            let content = await log.wait { $0.isOpen }
            #expect(content.security?.peerCertificateDER == nil)
            #expect(content.security?.serverName == nil)
        }
    }

    @Test(arguments: ["other.example", "127.0.0.2", "local"])
    func `a certificate for another host is refused`(name: String) async throws {
        let tls = try Self.client()
        try await withListener(.tls()) { listener, group in
            let log = connect(group, port: listener.port, tls: tls, serverName: name)
            guard case .tlsFailed(let detail) = await log.closeReason() else {
                Issue.record("the handshake passed")
                return
            }
            #expect(detail.contains("mismatch"))
        }
    }

    @Test func `a certificate of an unknown authority is refused`() async throws {
        let other = try Self.client(authority: TestCertificates.otherAuthority)
        let system = try TLSClientContext(trust: .system)
        try await withListener(.tls()) { listener, group in
            for tls in [other, system] {
                let reason = await connect(group, port: listener.port, tls: tls, serverName: "localhost").closeReason()
                guard case .tlsFailed = reason else {
                    Issue.record("the handshake passed: \(String(describing: reason))")
                    return
                }
            }
        }
    }

    @Test func `plain text on a TLS port ends the connection and is reported`() async throws {
        let log = EventLog()
        var options = try ListenerOptions.tls()
        options.onHandshakeFailure = { _, reason in log.note { $0.closed = reason } }
        try await withListener(options) { listener, _ in
            try await RawClient.run(port: listener.port) { client in
                try client.send("GET / HTTP/1.1\r\n\r\n")
                // Bytes that the server did not read may turn its goodbye into a reset.
                _ = try? client.receiveToEnd()
            }
            guard case .tlsFailed = await log.closeReason() else {
                Issue.record("not a TLS failure")
                return
            }
        }
    }

    @Test func `a client that sends nothing, or stops in its handshake, is closed at the deadline`() async throws {
        var options = try ListenerOptions.tls()
        options.limits.handshakeDeadline = .milliseconds(30)
        try await withListener(options) { listener, _ in
            for start in [[], [0x16, 0x03, 0x01]] as [[UInt8]] {
                let rest = try await RawClient.run(port: listener.port) { client in
                    // On a busy machine the deadline may have passed already.
                    try? client.send(start)
                    return (try? client.receiveToEnd()) ?? []
                }
                #expect(rest.isEmpty)
            }
        }
    }

    @Test func `a server that never answers the handshake is given up at the deadline`() async throws {
        let tls = try Self.client()
        try await withListener(handler: logging(into: EventLog())) { listener, group in
            let log = connect(group, port: listener.port, deadline: .milliseconds(30), tls: tls)
            #expect(await log.closeReason() == .timedOut)
        }
    }

    @Test func `handshakes above the maximum wait for their turn`() async throws {
        var options = try ListenerOptions.tls()
        options.maximumHandshakes = 1
        let tls = try Self.client()
        try await withListener(options) { listener, group in
            let logs = try await RawClient.run(port: listener.port) { stalled in
                try stalled.send([0x16, 0x03, 0x01])
                return (0..<5).map { _ in connect(group, port: listener.port, tls: tls) }
            }
            for log in logs {
                let content = await log.wait { $0.isOpen || $0.closed != nil }
                #expect(content.isOpen)
            }
        }
    }

    @Test func `the end of a stream without the closing alert is told as a truncation`() async throws {
        let log = EventLog()
        let tls = try Self.client()
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in LoggingHandler(log) }
        try await withListener(.tls(), handler: handler) { listener, group in
            _ = connect(group, port: listener.port, tls: tls) { $0.abort() }
            #expect(await log.wait { $0.inputEnd != nil || $0.closed != nil }.inputEnd == true)
        }
    }

    @Test func `a proper goodbye is not a truncation`() async throws {
        let log = EventLog()
        let tls = try Self.client()
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in LoggingHandler(log) }
        try await withListener(.tls(), handler: handler) { listener, group in
            _ = connect(group, port: listener.port, tls: tls) { connection in
                connection.write([1, 2, 3])
                connection.close()
            }
            let content = await log.wait { $0.closed != nil }
            #expect(content.inputEnd == false)
            #expect(content.received == [1, 2, 3])
        }
    }

    static let badIdentities: [(name: String, chain: [UInt8], key: [UInt8])] = [
        ("empty", [], []), ("no certificate", Array("nonsense".utf8), TestCertificates.key),
        ("no key", TestCertificates.chain, Array("nonsense".utf8)),
        ("the key of another certificate", TestCertificates.authority, TestCertificates.key),
        ("swapped", TestCertificates.key, TestCertificates.chain),
        ("cut off", Array(TestCertificates.chain.prefix(200)), TestCertificates.key),
    ]

    @Test(arguments: badIdentities.indices) func `a bad identity is refused`(index: Int) {
        let row = Self.badIdentities[index]
        #expect(throws: TransportError.self, "\(row.name)") {
            _ = try TLSServerContext(
                identity: TLSIdentity(certificateChainPEM: row.chain, privateKeyPEM: row.key))
        }
    }
}
