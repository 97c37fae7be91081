import HTTP2Wire
import HTTPSemantics
import Testing

@Suite struct `HTTP/2 server limits` {
    private func loopback(streams: Int, _ change: (inout HTTP2ServerConfiguration) -> Void = { _ in }) -> Loopback {
        var configuration = HTTP2ServerConfiguration()
        configuration.settings.maximumConcurrentStreams = streams
        change(&configuration)
        let pair = Loopback(server: configuration)
        pair.exchange()
        return pair
    }

    @Test func `announces its stream limit`() {
        let pair = Loopback()
        #expect(pair.client.peerMaximumConcurrentStreams == 0)
        pair.exchange()
        #expect(pair.clientEvents.first == .settings)
        #expect(pair.client.peerMaximumConcurrentStreams == 500)
    }

    @Test func `announces no limit when it has none`() {
        let pair = Loopback(
            server: {
                var configuration = HTTP2ServerConfiguration()
                configuration.settings.maximumConcurrentStreams = nil
                return configuration
            }())
        pair.exchange()
        #expect(pair.client.peerMaximumConcurrentStreams == .max)
    }

    @Test func `changes its limit, and the client hears of it`() throws {
        let pair = loopback(streams: 1)
        #expect(pair.client.peerMaximumConcurrentStreams == 1)
        try pair.server.submitSettings(HTTP2Settings(maximumConcurrentStreams: 1_000))
        try pair.server.submitSettings(HTTP2Settings(initialWindowBytes: 9))
        try pair.server.submitSettings(HTTP2Settings(maximumConcurrentStreams: 7))
        pair.exchange()
        #expect(pair.client.peerMaximumConcurrentStreams == 7)
        #expect(pair.client.initialStreamSendWindow == 9)
        #expect(pair.serverEvents.filter { $0 == .settingsAcknowledged }.count == 4)
    }

    @Test func `refuses the stream beyond its limit, and no other`() {
        var configuration = HTTP2ServerConfiguration()
        configuration.settings.maximumConcurrentStreams = 1
        let server = HTTP2ServerSession(configuration)
        let events = server.receive([
            .headers(1, requestFields), .headers(3, requestFields), .headers(5, requestFields, flags: Frame.endHeaders),
            .data(5, "abc", flags: Frame.endStream),
        ])
        #expect(events.filter { if case .request = $0 { true } else { false } }.count == 1)
        #expect(events.contains(.refused(stream: 3)))
        #expect(events.contains(.refused(stream: 5)))
        #expect(!events.contains { if case .data = $0 { true } else { false } })
        #expect(server.openStreams == 1)
        #expect(throws: Never.self) { try server.submitResponse(stream: 1, status: 200) }
        _ = server.drain()
        #expect(server.openStreams == 0)
        let again = server.receive([.headers(7, requestFields)], prefaced: false)
        #expect(again.contains { if case .request = $0 { true } else { false } })
    }

    @Test func `tells a refused client the code that allows a retry`() throws {
        let pair = Loopback()
        pair.exchange()
        let first = try pair.push()
        let second = try pair.push()
        try pair.server.submitSettings(HTTP2Settings(maximumConcurrentStreams: 1))
        pair.toServer()
        pair.toClient()
        #expect(pair.serverEvents.contains(.refused(stream: second)))
        #expect(pair.clientEvents.contains(.closed(stream: second, code: .refusedStream)))
        try pair.server.submitResponse(stream: first, status: 200)
        pair.exchange()
        #expect(pair.clientEvents.contains(.closed(stream: first, code: .noError)))
    }

    @Test func `answers a header list beyond its limit with 431`() throws {
        let pair = loopback(streams: 10) { $0.settings.maximumHeaderListBytes = 400 }
        let large = [HTTP2Field("x", String(repeating: "y", count: 400))]
        let stream = try pair.push(extra: large, body: [1, 2, 3])
        pair.exchange()
        #expect(pair.requests.isEmpty)
        #expect(pair.serverEvents.contains(.rejected(stream: stream, status: 431)))
        #expect(
            pair.clientEvents.contains(
                .response(stream: stream, status: 431, fields: HTTPFields(), endStream: true)))
        #expect(pair.clientEvents.last == .closed(stream: stream, code: .noError))
        let next = try pair.push()
        pair.exchange()
        #expect(pair.requests.map(\.stream) == [next])
    }

    @Test func `answers a stream once`() throws {
        let pair = loopback(streams: 10)
        let stream = try pair.push(body: [1])
        pair.exchange()
        try pair.server.submitResponse(stream: stream, status: 200, body: [1])
        #expect(throws: HTTP2Error.unknownStream) {
            try pair.server.submitResponse(stream: stream, status: 200, body: [1])
        }
        pair.exchange()
        #expect(pair.clientEvents.filter { if case .response = $0 { true } else { false } }.count == 1)
    }

    @Test func `answers no stream that does not exist`() {
        let pair = loopback(streams: 10)
        #expect(throws: HTTP2Error.self) { try pair.server.submitResponse(stream: 0, status: 200, body: [1]) }
        #expect(throws: HTTP2Error.unknownStream) { try pair.server.submitResponse(stream: 1, status: 200, body: [1]) }
        #expect(throws: HTTP2Error.unknownStream) { try pair.server.submitResponse(stream: 1, status: 200) }
        pair.exchange()
        #expect(!pair.server.isFinished)
    }
}
