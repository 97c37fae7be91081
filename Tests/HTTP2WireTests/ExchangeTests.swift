import HTTP2Wire
import HTTPSemantics
import PropertyTesting
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

    @Test func `requests that begin alike are the same on the wire as others`() throws {
        let plain = Loopback()
        let prefixed = Loopback()
        let prefix = HTTP2FieldPrefix(Array(Loopback.fields(path: "").dropLast()))
        for number in 0..<3 {
            let extra = [HTTP2Field("apns-id", "\(number)", indexing: .never), HTTP2Field("apns-topic", "t")]
            try plain.push(path: "/3/device/\(number)", extra: extra, body: Array("hello".utf8))
            let stream = try prefixed.client.submit(prefix, body: Array("hello".utf8)) { writer in
                writer.append(":path", "/3/device/\(number)")
                for field in extra { writer.append(field.name, field.value, indexing: field.indexing) }
            }
            #expect(stream == Int32(2 * number + 1))
        }
        var expected: [UInt8] = []
        var output: [UInt8] = []
        plain.client.drainOutput(into: &expected)
        prefixed.client.drainOutput(into: &output)
        #expect(output == expected && !output.isEmpty)
    }

    @Test(arguments: [200, 404]) func `answers keep status and body when their fields are not wanted`(
        status: Int
    ) throws {
        var configuration = HTTP2ClientConfiguration()
        configuration.keepsResponseFields = false
        let pair = Loopback(client: configuration)
        let stream = try pair.push()
        pair.exchange()
        let fields = HTTPFields([("apns-id", "1"), ("content-type", "a/b")])
        try pair.server.submitResponse(stream: stream, status: status, fields: fields, body: Array("x".utf8))
        pair.exchange()
        #expect(
            pair.clientEvents.contains(
                .response(stream: stream, status: status, fields: HTTPFields(), endStream: false)))
        #expect(pair.clientBody(of: stream) == Array("x".utf8))
    }

    @Test(arguments: [23, 1_000, 16_384, 1_000_000])
    func `large bodies cross whole through any buffer`(pieceBytes: Int) throws {
        var generator = SeededGenerator(seed: 12)
        let upload = generator.bytes(150_000)
        let download = generator.bytes(200_000)
        let pair = Loopback()
        pair.pieceBytes = pieceBytes
        let stream = try pair.push(body: upload)
        pair.exchange()
        #expect(pair.serverBody(of: stream) == upload)
        try pair.server.submitResponse(stream: stream, status: 400, body: download)
        pair.exchange()
        #expect(pair.clientBody(of: stream) == download)
        #expect(pair.clientEvents.last == .closed(stream: stream, code: .noError))
    }

    @Test func `an empty body can end the stream in a DATA frame`() throws {
        let pair = Loopback()
        pair.exchange()
        let stream = try pair.push()
        pair.exchange()
        try pair.server.submitResponse(stream: stream, status: 200, endsOnHeaders: false)
        pair.exchange()
        #expect(
            pair.clientEvents.suffix(3) == [
                .response(stream: stream, status: 200, fields: HTTPFields(), endStream: false),
                .data(stream: stream, bytes: [], endStream: true), .closed(stream: stream, code: .noError),
            ])
    }

    @Test func `an answer can come before the end of the request, and a reset behind it`() throws {
        let pair = Loopback()
        pair.exchange()
        let stream = try pair.push(body: [UInt8](repeating: 0, count: 100_000))
        pair.toServer()
        try pair.server.submitResponse(stream: stream, status: 413, body: [1, 2, 3], thenResets: true)
        pair.exchange()
        #expect(pair.clientBody(of: stream) == [1, 2, 3])
        #expect(pair.clientEvents.last == .closed(stream: stream, code: .noError))
        #expect(pair.client.unsentBodyBytes == 0)
    }

    @Test func `no reset follows an answer to a whole request`() throws {
        let server = HTTP2ServerSession()
        _ = server.receive([.headers(1, requestFields)])
        try server.submitResponse(stream: 1, status: 200, thenResets: true)
        #expect(frames(in: server.drain()).map(\.type) == [1])
    }

    @Test func `protected literals are told from others`() throws {
        var configuration = HTTP2ServerConfiguration()
        configuration.recordsRawFields = true
        let pair = Loopback(server: configuration)
        try pair.push(extra: [HTTP2Field("apns-id", "1", indexing: .never), HTTP2Field("apns-topic", "t")])
        pair.exchange()
        let raw = try #require(pair.requests.first?.rawFields)
        #expect(raw.map(\.name).prefix(4) == [":method", ":scheme", ":authority", ":path"])
        #expect(raw.suffix(2) == [HTTP2Field("apns-id", "1", indexing: .never), HTTP2Field("apns-topic", "t")])
    }

    @Test func `a field that is sent again takes less room, unless it is never indexed`() throws {
        let pair = Loopback()
        let value = String(repeating: "v", count: 60)
        for indexing in [HTTP2Field.Indexing.automatic, .never] {
            for _ in 0..<2 { try pair.push(extra: [HTTP2Field("x-\(indexing)", value, indexing: indexing)]) }
        }
        pair.exchange()
        let sizes = pair.requests.map(\.headerBlockBytes)
        #expect(sizes[1] < sizes[0] - 40)
        #expect(sizes[3] > 40)
    }

    @Test func `cookie crumbs are joined`() throws {
        let pair = Loopback()
        try pair.push(extra: [HTTP2Field("cookie", "a=1"), HTTP2Field("x", "y"), HTTP2Field("cookie", "b=2")])
        pair.exchange()
        #expect(pair.requests.first?.head.fields.values(of: "cookie") == ["a=1; b=2"])
    }

    @Test func `host stands in for a missing authority`() {
        let server = HTTP2ServerSession()
        let fields = [(":method", "GET"), (":scheme", "https"), (":path", "/"), ("host", "h:1")]
        guard case .request(let request) = server.receive([.headers(1, fields)]).last else {
            return #expect(Bool(false))
        }
        #expect(request.head.authority == "h:1")
        #expect(request.endStream)
    }

    @Test func `CONNECT has its authority as target`() {
        let server = HTTP2ServerSession()
        let connect = Frame.headers(1, [(":method", "CONNECT"), (":authority", "h:443")], flags: Frame.endHeaders)
        guard case .request(let request) = server.receive([connect]).last else { return #expect(Bool(false)) }
        #expect(request.head.target == "h:443")
    }

    @Test func `interim answers are left out`() throws {
        let client = HTTP2ClientSession()
        let stream = try client.submit(fields: Loopback.fields(path: "/"))
        var ignored: [UInt8] = []
        client.drainOutput(into: &ignored)
        let answer = [
            Frame.settings(), .headers(1, [(":status", "103"), ("link", "x")], flags: Frame.endHeaders),
            .headers(1, [(":status", "200"), ("a", "b")]),
        ].flatMap(\.bytes)
        let events = answer.withUnsafeBytes { client.receive($0) }
        #expect(
            events == [
                .settings, .response(stream: stream, status: 200, fields: HTTPFields([("a", "b")]), endStream: true),
                .closed(stream: stream, code: .noError),
            ])
    }

    @Test func `the preface is recognized byte by byte`() {
        for count in 0..<24 {
            let start = Array(HTTP2Preface.bytes.prefix(count))
            #expect(start.withUnsafeBytes { HTTP2Preface.match($0) } == .needsMoreBytes)
            #expect((start + [0x21]).withUnsafeBytes { HTTP2Preface.match($0) } == .differs)
        }
        #expect((HTTP2Preface.bytes + [0]).withUnsafeBytes { HTTP2Preface.match($0) } == .matches)
        #expect([UInt8]("POST / HTTP/1.1".utf8).withUnsafeBytes { HTTP2Preface.match($0) } == .differs)
    }
}
