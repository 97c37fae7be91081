import HTTP2Wire
import HTTPSemantics
import NetTesting
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct `HTTP/2 on a socket` {
    private static func ok(_ body: [UInt8]) -> HTTP2Peer.Answer {
        HTTP2Peer.Answer(status: 200, body: body, closed: .noError)
    }

    @Test func `a plain client that begins with the preface is served`() async throws {
        try await withServer { running in
            let (first, second, head) = try await HTTP2Peer.run(running.port) { peer in
                let first = try peer.answer(to: peer.submit("POST", "/echo", body: Array("hello".utf8)))
                let second = try peer.answer(to: peer.submit("GET", "/none"))
                return (first, second, try peer.answer(to: peer.submit("HEAD", "/large")))
            }
            #expect(first == Self.ok(Array("hello".utf8)))
            #expect(second.status == 404)
            #expect(head == Self.ok([]))
            #expect(running.handler.seen.withLock { $0.allSatisfy { $0.head.version == .http2 } })
        }
    }

    @Test func `the preface may come byte by byte`() async throws {
        try await withServer { running in
            let answer = try await HTTP2Peer.run(running.port) { peer in
                var start: [UInt8] = []
                let stream = try peer.submit("GET", "/echo")
                peer.session.drainOutput(into: &start, maximum: .max)
                for byte in start { try peer.client.send([byte]) }
                return try peer.answer(to: stream)
            }
            #expect(answer.status == 200)
        }
    }

    @Test func `a thousand streams at once get each its own answer`() async throws {
        try await withServer { running in
            try await HTTP2Peer.run(running.port) { peer in
                let streams = try (0..<1_000).map { index in
                    try peer.submit("POST", index % 2 == 0 ? "/echo" : "/refused", body: Array("\(index)".utf8))
                }
                try peer.pump { $0.answers.values.allSatisfy { $0.closed != nil } }
                for (index, stream) in streams.enumerated() {
                    let answer = peer.answers[stream]
                    #expect(answer?.status == (index % 2 == 0 ? 200 : 401))
                    #expect(index % 2 == 1 || answer?.body == Array("\(index)".utf8))
                }
            }
            #expect(running.handler.seenCount == 1_000)
        }
    }

    @Test func `a stream beyond the maximum is refused and the others go on`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.maximumConcurrentStreams = 2
        try await withServer(configuration) { running in
            let handler = running.handler
            try await HTTP2Peer.run(running.port) { peer in
                let held = [try peer.submit("GET", "/gate"), try peer.submit("GET", "/gate")]
                let refused = try peer.answer(to: peer.submit("GET", "/echo"))
                #expect(refused.closed == .refusedStream)
                handler.gate.open()
                for stream in held { #expect(try peer.answer(to: stream).status == 200) }
                #expect(try peer.answer(to: peer.submit("GET", "/echo")).status == 200)
                #expect(peer.goAways.isEmpty)
            }
        }
    }

    @Test func `bodies and header lists beyond their limits are refused, and the connection lives`() async throws {
        try await withServer { running in
            try await HTTP2Peer.run(running.port) { peer in
                let large = [UInt8](repeating: 1, count: TestHandler.bodyLimitBytes + 1)
                let announced = try peer.submit(
                    "POST", "/echo", body: large, fields: [HTTP2Field("content-length", String(large.count))])
                #expect(try peer.answer(to: announced).status == 413)
                #expect(try peer.answer(to: peer.submit("POST", "/echo", body: large)).status == 413)
                let long = HTTP2Field("x-long", String(repeating: "a", count: 40_000))
                #expect(try peer.answer(to: peer.submit("GET", "/echo", fields: [long])).status == 431)
                let coding = HTTP2Field("content-encoding", "br")
                #expect(try peer.answer(to: peer.submit("POST", "/echo", body: [1], fields: [coding])).status == 415)
                let gzip = HTTP2Field("content-encoding", "gzip")
                #expect(try peer.answer(to: peer.submit("POST", "/echo", body: [1], fields: [gzip])).status == 400)
                let bomb = try peer.submit("POST", "/echo", body: `HTTP/1 on a socket`.bomb, fields: [gzip])
                #expect(try peer.answer(to: bomb).status == 413)
                let full = Array(large.dropLast())
                #expect(try peer.answer(to: peer.submit("POST", "/echo", body: full)) == Self.ok(full))
            }
            #expect(running.handler.seenCount == 1)
        }
    }

    @Test func `an idle connection is told to go away, and a request on the way is still answered`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.http2IdleLimit = .milliseconds(400)
        try await withServer(configuration) { running in
            try await HTTP2Peer.run(running.port) { peer in
                #expect(try peer.answer(to: peer.submit("GET", "/echo")).status == 200)
                // The client has not read the GOAWAY yet when it sends the second request.
                let late = try peer.submit("GET", "/echo")
                try peer.pumpToEnd()
                #expect(peer.goAways.allSatisfy { $0.code == .noError })
                // On a busy machine it may have been read: then the request is beyond the last stream, and safe to repeat.
                let lastStream = try #require(peer.wire.goAway?.lastStream)
                #expect(peer.answers[late]?.status == 200 ? lastStream == UInt32(late) : lastStream < UInt32(late))
            }
        }
    }

    @Test func `a hundred pings among twenty requests are all answered`() async throws {
        try await withServer { running in
            try await HTTP2Peer.run(running.port) { peer in
                for index in 0..<100 {
                    try peer.session.ping(opaque: UInt64(index))
                    if index % 5 == 0 { try peer.submit("GET", "/echo") }
                }
                try peer.pump { $0.pingsAcknowledged == 100 && $0.answers.values.allSatisfy { $0.status == 200 } }
                #expect(peer.answers.count == 20)
                #expect(peer.goAways.isEmpty)
            }
        }
    }

    @Test(arguments: [(6, [0, 0, 0, 0, 0, 0, 0, 0]), (4, [])] as [(UInt8, [UInt8])])
    func `a flood of pings or settings is cut off, and what was accepted is answered`(
        type: UInt8, payload: [UInt8]
    ) async throws {
        var configuration = HTTPServerConfiguration()
        configuration.controlFrameBurst = 50
        configuration.controlFramesPerSecond = 1
        try await withServer(configuration) { running in
            let handler = running.handler
            let frames = try await HTTP2Peer.run(running.port) { peer in
                try peer.submit("GET", "/gate")
                try peer.flush()
                for _ in 0..<60 { try peer.sendFrame(type: type, payload: payload) }
                var received = WireFrames()
                while received.goAway == nil, try received.read(from: peer.client) {}
                handler.gate.open()
                while try received.read(from: peer.client) {}
                return received
            }
            #expect(frames.goAway?.code == HTTP2ErrorCode.enhanceYourCalm.rawValue)
            #expect(frames.all.contains { $0.type == 1 && $0.stream == 1 })
        }
    }

    @Test func `streams that are reset as fast as they are opened end the connection`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.controlFrameBurst = 50
        configuration.controlFramesPerSecond = 1
        try await withServer(configuration) { running in
            let handler = running.handler
            try await HTTP2Peer.run(running.port) { peer in
                for _ in 0..<100 {
                    let stream = try peer.submit("GET", "/gate")
                    try peer.flush()
                    try peer.session.reset(stream: stream)
                    try peer.flush()
                }
                try peer.pump { !$0.goAways.isEmpty }
                #expect(peer.goAways.last?.code == .enhanceYourCalm)
                handler.gate.open()
            }
            #expect(running.handler.seenCount <= 60)
        }
    }

    @Test(
        arguments: [
            ("a frame that is too long", [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]),
            ("data on stream 0", [0, 0, 1, 0, 0, 0, 0, 0, 0, 7]),
            ("an odd window update", [0, 0, 1, 8, 0, 0, 0, 0, 0, 1]),
            ("headers that are no HPACK", [0, 0, 2, 1, 5, 0, 0, 0, 1, 0xFF, 0xFF]),
            ("an even stream", [0, 0, 1, 1, 5, 0, 0, 0, 2, 0x82]),
        ] as [(String, [UInt8])])
    func `nonsense after the preface ends in GOAWAY`(name: String, frame: [UInt8]) async throws {
        try await withServer { running in
            try await HTTP2Peer.run(running.port) { peer in
                try peer.flush()
                try peer.client.send(frame)
                try peer.pumpToEnd()
                #expect(peer.goAways.last.map { $0.code != .noError } ?? true, "\(name)")
            }
            #expect(running.handler.seenCount == 0)
        }
    }

    @Test func `a body that does not come is answered 408`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.bodyDeadline = .milliseconds(30)
        try await withServer(configuration) { running in
            try await HTTP2Peer.run(running.port) { peer in
                try peer.flush()
                // POST /echo with END_HEADERS only: static table entries and two literals.
                let block: [UInt8] =
                    [0x83, 0x86, 0x04, 5] + Array("/echo".utf8) + [0x01, 1] + Array("a".utf8)
                try peer.sendFrame(type: 1, flags: 4, stream: 1, payload: block)
                var received = WireFrames()
                while !received.all.contains(where: { $0.type == 3 }), try received.read(from: peer.client) {}
            }
            #expect(running.metrics.counts.withLock { $0.refused } == [408])
        }
    }

    @Test func `an answer that the peer never lets out is given up`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.sendDeadline = .milliseconds(30)
        var client = HTTP2ClientConfiguration()
        client.settings.initialWindowBytes = 0
        try await withServer(configuration) { [client] running in
            try await HTTP2Peer.run(running.port, configuration: client) { peer in
                let answer = try peer.answer(to: peer.submit("GET", "/large"))
                #expect(answer.status == 200 && answer.body.isEmpty)
                #expect(answer.closed == .cancel)
            }
        }
    }

    @Test func `draining answers what is in flight and names the last stream`() async throws {
        try await withServer { running in
            let (handler, server, port) = (running.handler, running.server, running.port)
            async let peer: Void = HTTP2Peer.run(port) { peer in
                let stream = try peer.submit("GET", "/gate")
                try peer.pump { !$0.goAways.isEmpty }
                handler.gate.open()
                try peer.pumpToEnd()
                #expect(peer.answers[stream]?.status == 200)
                #expect(peer.goAways.last?.lastStream == stream)
                #expect(peer.goAways.allSatisfy { $0.code == .noError })
            }
            await handler.gate.arrival(of: 1)
            await server.drain(deadline: .seconds(30))
            try await peer
            #expect(server.openConnections == 0)
        }
    }

    @Test func `a large answer passes the windows whole`() async throws {
        try await withServer { running in
            let answer = try await HTTP2Peer.run(running.port) { try $0.answer(to: $0.submit("GET", "/large")) }
            #expect(answer.body.count == 2_000_000)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `random bytes on either protocol end the connection and nothing else`(seed: UInt64) async throws {
        try await withServer(`Deadlines and limits of HTTP/1`.short(.milliseconds(400))) { running in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<10 {
                var bytes = Bool.random(using: &random) ? HTTP2Preface.bytes : Array("POST /echo HTTP/1.1\r\n".utf8)
                for _ in 0..<200 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
                let garbage = bytes
                try await RawClient.run(port: running.port) { client in
                    try? client.send(garbage)
                    client.finishSending()
                    _ = try? client.receiveToEnd()
                }
            }
            let answers = try await RawClient.ask(running.port, "GET /echo HTTP/1.1\r\n\(`HTTP/1 on a socket`.last)")
            #expect(answers.statuses == [200])
        }
    }
}

/// A small generator for repeatable tests (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
