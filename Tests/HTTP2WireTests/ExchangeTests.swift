import HTTP2Wire
import HTTPSemantics
import Testing

@Suite struct `HTTP/2 exchange` {
    @Test func `a request with a body crosses and its answer comes back`() throws {
        let pair = Loopback()
        pair.exchange()
        let stream = try pair.push(extra: [HTTP2Field("apns-id", "1")], body: Array("hello".utf8))
        pair.exchange()
        let request = try #require(pair.requests.first)
        #expect(request.head.method == "POST")
        #expect(request.head.target == "/3/device/00")
        #expect(request.head.authority == "localhost")
        #expect(request.head.version == .http2)
        #expect(request.head.fields == HTTPFields([("apns-id", "1")]))
        #expect(!request.endStream)
        #expect(request.headerBlockBytes > 10)
        #expect(pair.serverEvents.contains(.data(stream: stream, bytes: Array("hello".utf8), endStream: true)))

        let fields = HTTPFields([("apns-id", "1")])
        try pair.server.submitResponse(stream: stream, status: 200, fields: fields)
        pair.exchange()
        #expect(
            pair.clientEvents.suffix(2) == [
                .response(stream: stream, status: 200, fields: fields, endStream: true),
                .closed(stream: stream, code: .noError),
            ])
        #expect(pair.serverEvents.last == .closed(stream: stream, code: .noError))
        #expect(pair.client.activeStreams == 0)
        #expect(pair.server.openStreams == 0)
    }
}
