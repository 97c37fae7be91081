import CLinux
import COpenSSL
import EventLoop
import Testing

@testable import Transport

/// Connections whose records are our own after the handshake; the client is OpenSSL.
@Suite struct `TLS connections that were handed over` {
    @Test func `bring megabytes back whole through a peer that reads slowly`() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 17 &+ $0 >> 9) }
        let tls = try `TLS connections`.client()
        let answer = try await withListener(.tls(handsOverRecords: true)) { listener, group in
            let log = connect(group, port: listener.port, tls: tls) { $0.write(bytes) }
            return await log.wait { $0.received.count == bytes.count || $0.closed != nil }
        }
        #expect(answer.received == bytes)
    }

    @Test func `are the server's engine as soon as the handshake is done`() async throws {
        let log = EventLog()
        let tls = try `TLS connections`.client()
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in
            let handler = LoggingHandler(log)
            handler.onReceive = { connection, _ in connection.write([connection.engine is RecordEngine ? 1 : 0]) }
            return handler
        }
        try await withListener(.tls(handsOverRecords: true), handler: handler) { listener, group in
            let client = connect(group, port: listener.port, tls: tls, serverName: "service.example") { $0.write([7]) }
            #expect(await client.wait { !$0.received.isEmpty || $0.closed != nil }.received == [1])
            let security = await log.wait { $0.isOpen }.security
            #expect(security?.serverName == "service.example" && security?.version == "TLSv1.3")
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `stay with the library when the client knows TLS 1_2 only`(version: Int32) async throws {
        let tls = try `TLS connections`.client()
        SSL_CTX_ctrl(tls.context.handle, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
        let bytes = [UInt8](repeating: 3, count: 100_000)
        let answer = try await withListener(.tls(handsOverRecords: true)) { listener, group in
            let log = connect(group, port: listener.port, tls: tls) { $0.write(bytes) }
            return await log.wait { $0.received.count == bytes.count || $0.closed != nil }
        }
        #expect(answer.received == bytes)
        #expect(answer.security?.version == (version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3"))
    }

    @Test(arguments: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])
    func `take new keys from the client while data flows both ways`(suite: String) async throws {
        let tls = try `TLS connections`.client()
        #expect(SSL_CTX_set_ciphersuites(tls.context.handle, suite) == 1)
        let answer = try await withListener(.tls(handsOverRecords: true)) { listener, group in
            let log = connect(group, port: listener.port, tls: tls) { connection in
                for round in UInt8(0)..<50 {
                    connection.write([UInt8](repeating: round, count: 1_000))
                    if let engine = connection.engine as? OpenSSLEngine {
                        SSL_key_update(
                            engine.ssl, round & 1 == 0 ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED)
                    }
                }
                connection.write([99])
            }
            return await log.wait { $0.received.last == 99 || $0.closed != nil }
        }
        #expect(answer.received == (UInt8(0)..<50).flatMap { [UInt8](repeating: $0, count: 1_000) } + [99])
    }

    @Test func `tell a goodbye from a connection that was cut`() async throws {
        let tls = try `TLS connections`.client()
        for isCut in [false, true] {
            let log = EventLog()
            try await withListener(.tls(handsOverRecords: true), handler: logging(into: log)) { listener, group in
                let client = connect(group, port: listener.port, tls: tls) { connection in
                    connection.write([1, 2, 3])
                    isCut ? connection.abort() : connection.close()
                }
                let content = await log.wait { $0.inputEnd != nil || $0.closed != nil }
                #expect(content.inputEnd == isCut)
                if !isCut { #expect(await client.closeReason() == .closedLocally) }
            }
        }
    }

    @Test func `say goodbye, which the client understands`() async throws {
        let tls = try `TLS connections`.client()
        let handler: @Sendable (Connection) -> any ConnectionHandler = { _ in
            let handler = LoggingHandler(EventLog())
            handler.onOpen = { connection in
                connection.write([4, 5])
                connection.close()
            }
            return handler
        }
        try await withListener(.tls(handsOverRecords: true), handler: handler) { listener, group in
            let content = await connect(group, port: listener.port, tls: tls).wait {
                $0.inputEnd != nil || $0.closed != nil
            }
            #expect(content.inputEnd == false && content.received == [4, 5])
        }
    }

    @Test func `end when the client sends bytes that are no records`() async throws {
        let log = EventLog()
        let tls = try `TLS connections`.client()
        try await withListener(.tls(handsOverRecords: true), handler: logging(into: log)) { listener, group in
            let client = connect(group, port: listener.port, tls: tls) { connection in
                let nonsense = Array("no record".utf8)
                #expect(pharos_send(connection.descriptor, nonsense, nonsense.count) == nonsense.count)
            }
            #expect(await log.closeReason() == .tlsFailed(detail: "unexpected message"))
            guard case .tlsFailed(let detail) = await client.closeReason() else {
                Issue.record("the client heard no alert")
                return
            }
            #expect(detail.contains("unexpected message"))
        }
    }
}
