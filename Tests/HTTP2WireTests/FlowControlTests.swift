import HTTP2Wire
import HTTPSemantics
import Testing

@Suite struct `HTTP/2 flow control` {
    @Test func `counts body bytes until they are framed`() throws {
        let pair = Loopback()
        pair.exchange()
        #expect(pair.client.connectionSendWindow == 1_048_576)
        #expect(pair.client.initialStreamSendWindow == 65_535)
        try pair.push(body: [UInt8](repeating: 0, count: 300))
        #expect(pair.client.unsentBodyBytes == 300)
        #expect(pair.client.connectionSendWindow == 1_048_576)
        pair.toServer()
        #expect(pair.client.unsentBodyBytes == 0)
        #expect(pair.client.connectionSendWindow == 1_048_276)
    }

    @Test func `a reset gives back what was not framed`() throws {
        let pair = Loopback()
        pair.exchange()
        let stream = try pair.push(body: [UInt8](repeating: 0, count: 100_000))
        pair.toServer()
        #expect(pair.client.unsentBodyBytes > 0)
        try pair.client.reset(stream: stream)
        pair.exchange()
        #expect(pair.client.unsentBodyBytes == 0)
    }

    @Test func `a tiny window that nobody opens holds the body back`() throws {
        var configuration = HTTP2ServerConfiguration()
        configuration.settings.initialWindowBytes = 10
        configuration.flowControl = .manual
        let pair = Loopback(server: configuration)
        pair.exchange()
        let body = [UInt8](0..<25)
        let stream = try pair.push(body: body)
        pair.exchange()
        #expect(pair.serverBody(of: stream) == Array(body.prefix(10)))
        #expect(pair.client.unsentBodyBytes == 15)
        try pair.server.consume(stream: stream, bytes: 10)
        pair.exchange()
        #expect(pair.serverBody(of: stream) == Array(body.prefix(20)))
        try pair.server.consume(stream: stream, bytes: 10)
        pair.exchange()
        #expect(pair.serverBody(of: stream) == body)
        #expect(pair.serverEvents.last == .data(stream: stream, bytes: Array(body.suffix(5)), endStream: true))
    }

    @Test func `consuming more than was received does no harm`() throws {
        let pair = Loopback(
            server: {
                var configuration = HTTP2ServerConfiguration()
                configuration.flowControl = .manual
                return configuration
            }())
        let stream = try pair.push(body: [1])
        pair.exchange()
        try pair.server.consume(stream: stream, bytes: .max)
        try pair.server.consume(stream: stream, bytes: -5)
        try pair.push(body: [2])
        pair.exchange()
        #expect(pair.requests.count == 2)
        #expect(pair.client.connectionSendWindow <= 1_048_576)
    }

    @Test func `a window of zero leaves room for requests without body`() throws {
        var configuration = HTTP2ServerConfiguration()
        configuration.settings.initialWindowBytes = 0
        let pair = Loopback(server: configuration)
        pair.exchange()
        let held = try pair.push(body: [1])
        let free = try pair.push()
        pair.exchange()
        #expect(pair.requests.map(\.stream) == [held, free])
        #expect(pair.serverBody(of: held) == [])
    }

    @Test func `output is cut at the caller's size and goes on`() throws {
        let pair = Loopback()
        try pair.push(body: [UInt8](repeating: 1, count: 5_000))
        var all: [UInt8] = []
        while pair.client.wantsWrite {
            var piece: [UInt8] = []
            pair.client.drainOutput(into: &piece, maximum: 100)
            #expect(piece.count <= 100)
            all += piece
        }
        #expect(all.starts(with: HTTP2Preface.bytes))
        #expect(frames(in: Array(all.dropFirst(24))).last?.payload.count == 5_000)
    }

    @Test func `many small requests share one buffer`() throws {
        let pair = Loopback()
        pair.exchange()
        for _ in 0..<50 { try pair.push(body: [UInt8](repeating: 1, count: 100)) }
        var output: [UInt8] = []
        pair.client.drainOutput(into: &output, maximum: 16_384)
        #expect(frames(in: output).count == 100)
    }
}
