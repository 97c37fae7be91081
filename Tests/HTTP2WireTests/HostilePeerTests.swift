import HTTP2Wire
import HTTPSemantics
import PropertyTesting
import Testing

@Suite struct `HTTP/2 server and hostile peers` {
    /// What the server must do with bad frames.
    enum Outcome: Sendable {
        /// RST_STREAM with this code on stream 1; the connection goes on.
        case streamReset(UInt32)
        /// GOAWAY with this code, then the end.
        case goAway(UInt32)
        /// The end without a word.
        case failed(HTTP2Error)
    }

    private static func request(_ extra: [(String, String)], flags: UInt8 = 5) -> [Frame] {
        [.headers(1, requestFields + extra, flags: flags)]
    }

    static let rows: [(name: String, frames: [Frame], outcome: Outcome)] = [
        ("RFC 9113 §8.3.1 no path", [.headers(1, [(":method", "GET"), (":scheme", "https")])], .streamReset(1)),
        ("no method", [.headers(1, [(":path", "/"), (":scheme", "https")])], .streamReset(1)),
        ("no scheme", [.headers(1, [(":path", "/"), (":method", "GET")])], .streamReset(1)),
        ("empty path", [.headers(1, [(":method", "GET"), (":scheme", "https"), (":path", "")])], .streamReset(1)),
        ("two paths", request([(":path", "/")]), .streamReset(1)),
        ("§8.3 unknown pseudo-header", request([(":x", "/")]), .streamReset(1)),
        ("§8.3 pseudo-header after a field", [.headers(1, [("a", "b")] + requestFields)], .streamReset(1)),
        ("§8.3 answer's pseudo-header", request([(":status", "200")]), .streamReset(1)),
        ("§8.2.1 upper-case name", request([("A", "b")]), .streamReset(1)),
        ("§8.2.1 space at the end of authorization", request([("x:y", "z")]), .streamReset(1)),
        ("§8.2.2 connection field", request([("connection", "close")]), .streamReset(1)),
        ("§8.2.2 transfer coding", request([("transfer-encoding", "chunked")]), .streamReset(1)),
        ("§8.2.2 te other than trailers", request([("te", "gzip")]), .streamReset(1)),
        ("§8.1.1 length without body", request([("content-length", "3")]), .streamReset(1)),
        (
            "§8.1.1 body longer than its length",
            request([("content-length", "1")], flags: 4) + [.data(1, "abc", flags: Frame.endStream)], .streamReset(1)
        ),
        ("§5.1 data after the end", request([]) + [.data(1, "a")], .goAway(5)),
        ("§5.1 data on an idle stream", [.data(1, "a")], .goAway(1)),
        ("§5.1.1 even stream", [.headers(2, requestFields)], .goAway(1)),
        ("§6.1 data on stream 0", [.data(0, "a")], .goAway(1)),
        ("§6.2 headers on stream 0", [.headers(0, requestFields)], .goAway(1)),
        ("§6.10 continuation alone", [Frame(type: 9, flags: 4, stream: 1)], .goAway(1)),
        ("§6.10 other frame within a header block", request([], flags: 1) + [.ping], .goAway(1)),
        ("§6.4 reset of an idle stream", [.reset(1, code: 8)], .goAway(1)),
        ("§6.5 settings on a stream", [Frame(type: 4, stream: 1)], .goAway(1)),
        ("§6.5 settings with a broken length", [Frame(type: 4, payload: [1])], .goAway(6)),
        ("§6.5.2 window too large", [.settings([(4, 0x8000_0000)])], .goAway(3)),
        ("§6.5.2 frame size too small", [.settings([(5, 1)])], .goAway(1)),
        ("§6.5.2 push is neither 0 nor 1", [.settings([(2, 2)])], .goAway(1)),
        ("§6.7 short ping", [Frame(type: 6, payload: [1])], .goAway(6)),
        ("§6.9 window update of 0", [.windowUpdate(0, 0)], .goAway(1)),
        ("§6.9.1 window overflow", [.windowUpdate(0, 0x7FFF_FFFF)], .goAway(3)),
        (
            "§4.2 frame too large", [Frame(type: 0, stream: 1, payload: [UInt8](repeating: 0, count: 16_385))],
            .goAway(6)
        ),
        ("§4.3 broken header compression", [Frame(type: 1, flags: 5, stream: 1, payload: [0xFF])], .goAway(9)),
        ("RFC 7541 §6.1 index 0", [Frame(type: 1, flags: 5, stream: 1, payload: [0x80])], .goAway(9)),
        ("§6.5.3 acknowledgement of nothing", [.settingsAck, .settingsAck], .goAway(1)),
        ("push from a client", [Frame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2])], .goAway(1)),
        (
            "CVE-2024-28182 continuations without end",
            request([], flags: 1) + [Frame](repeating: Frame(type: 9, stream: 1), count: 73), .failed(.flooded)
        ),
    ]

    @Test(arguments: rows.indices) func `are answered as the RFC says`(row: Int) {
        let row = Self.rows[row]
        let server = HTTP2ServerSession()
        let input = HTTP2Preface.bytes + Frame.settings().bytes + row.frames.flatMap(\.bytes)
        let events = input.withUnsafeBytes { server.receive($0) }
        let output = frames(in: server.drain())
        let name = Comment(rawValue: row.name)
        switch row.outcome {
        case .streamReset(let code):
            let reset = output.last { $0.type == 3 }
            #expect(reset?.stream == 1, name)
            #expect(reset?.payload == [0, 0, 0, UInt8(code)], name)
            #expect(!server.isFinished, name)
        case .goAway(let code):
            let goAway = output.last { $0.type == 7 }
            #expect(goAway?.payload.dropFirst(4).prefix(4) == [0, 0, 0, UInt8(code)], name)
            #expect(server.isFinished, name)
        case .failed(let error):
            #expect(events.last == .failed(error), name)
            #expect(server.isFinished, name)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r", "\u{16}\u{3}\u{1}"])
    func `are given up without the preface`(text: String) {
        let server = HTTP2ServerSession()
        #expect(server.receive(pieces: [Array(text.utf8)]) == [.failed(.badPreface)])
        #expect(server.isFinished)
        #expect(server.receive(pieces: [HTTP2Preface.bytes]) == [])
    }

    @Test func `are given up when they ping without reading`() {
        let server = HTTP2ServerSession()
        let input =
            HTTP2Preface.bytes + Frame.settings().bytes
            + [Frame](repeating: .ping, count: 1_001).flatMap(\.bytes)
        #expect(input.withUnsafeBytes { server.receive($0) }.last == .failed(.flooded))
    }

    @Test func `are given up when refused streams pile up unread`() {
        var configuration = HTTP2ServerConfiguration()
        configuration.settings.maximumConcurrentStreams = 0
        configuration.maximumQueuedFrames = 100
        let server = HTTP2ServerSession(configuration)
        let requests = (0..<101).map { Frame.headers($0 * 2 + 1, requestFields) }
        let input = HTTP2Preface.bytes + Frame.settings().bytes + requests.flatMap(\.bytes)
        #expect(input.withUnsafeBytes { server.receive($0) }.last == .failed(.flooded))
    }

    @Test func `are stopped when they open and reset streams without end, CVE-2023-44487`() {
        let server = HTTP2ServerSession()
        _ = server.receive([])
        var next: UInt32 = 1
        while !server.isFinished, next < 4_001 {
            _ = server.receive([.headers(next, requestFields), .reset(next, code: 8)], prefaced: false)
            next += 2
        }
        #expect(server.isFinished)
    }

    static let honest: [UInt8] =
        HTTP2Preface.bytes
        + [
            Frame.settings([(3, 100), (4, 70_000)]), .settingsAck,
            .headers(1, requestFields + [("a", "b")], flags: Frame.endHeaders), .data(1, "abc"), .ping,
            .headers(3, requestFields), .windowUpdate(0, 10), .data(1, "de", flags: Frame.endStream),
            .headers(5, requestFields, flags: 0), Frame(type: 9, flags: Frame.endHeaders, stream: 5),
            .headers(5, [("trailer", "t")]), .reset(3, code: 8),
            Frame(type: 7, payload: [0, 0, 0, 0, 0, 0, 0, 0, 0x68]),
        ].flatMap(\.bytes)

    private func joined(_ events: [HTTP2ServerEvent]) -> [HTTP2ServerEvent] {
        events.reduce(into: []) { result, event in
            if case .data(let stream, let more, let ends) = event,
                case .data(stream, let earlier, false)? = result.last
            {
                result[result.count - 1] = .data(stream: stream, bytes: earlier + more, endStream: ends)
            } else {
                result.append(event)
            }
        }
    }

    @Test func `honest bytes mean the same wherever they are cut`() {
        let whole = joined(HTTP2ServerSession().receive(pieces: [Self.honest]))
        #expect(whole.contains(.data(stream: 5, bytes: [], endStream: true)))
        #expect(whole.contains(.goAway(lastStream: 0, code: .noError, debugData: [0x68])))
        for cut in 1..<Self.honest.count {
            let pieces = [Array(Self.honest[..<cut]), Array(Self.honest[cut...])]
            #expect(joined(HTTP2ServerSession().receive(pieces: pieces)) == whole, "\(cut)")
        }
        #expect(joined(HTTP2ServerSession().receive(pieces: Self.honest.map { [$0] })) == whole)
    }

    @Test func `any damage is survived`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<3_000 {
            let bytes = generator.mutate(Self.honest, alphabet: [0, 1, 3, 4, 5, 8, 9])
            let server = HTTP2ServerSession()
            for event in server.receive(pieces: generator.pieces(of: bytes, longest: 100)) {
                guard case .request(let request) = event else { continue }
                try? server.submitResponse(stream: request.stream, status: 200, body: [1, 2, 3])
            }
            _ = server.drain()
        }
    }
}
