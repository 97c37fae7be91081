import HTTP1Wire
import HTTPSemantics
import PropertyTesting
import Testing

@Suite struct `HTTP/1 request parser` {
    @Test(arguments: RequestVectors.good) func `reads a good request`(vector: Vector<ReadRequest>) throws {
        let events = requestEvents(vector.text)
        let start = try #require(events.starts.first)
        var read = ReadRequest(
            method: start.head.method, target: start.head.target, authority: start.head.authority, body: start.body,
            keepsAlive: start.keepsAlive, expectsContinue: start.expectsContinue)
        if case .body(let bytes) = events.dropFirst().first { read.content = String(decoding: bytes, as: UTF8.self) }
        #expect(read == vector.outcome)
        #expect(events.last == .end)
    }

    @Test(arguments: RequestVectors.bad) func `refuses a bad request`(vector: Vector<HTTP1Error>) {
        #expect(requestEvents(vector.text + "GET / HTTP/1.1\r\n").last == .failed(vector.outcome))
    }

    @Test(arguments: RequestVectors.good) func `needs the last byte`(vector: Vector<ReadRequest>) {
        #expect(requestEvents(String(vector.text.unicodeScalars.dropLast())).last != .end)
    }

    @Test func `gives the same events wherever the bytes are cut`() {
        for text in RequestVectors.good.map(\.text) + RequestVectors.bad.map(\.text) {
            let bytes = Array(text.utf8)
            let whole = requestEvents(pieces: [bytes])
            for cut in 1..<bytes.count {
                #expect(requestEvents(pieces: [Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "\(text) \(cut)")
            }
            #expect(requestEvents(pieces: bytes.map { [$0] }) == whole, "\(text)")
        }
    }

    @Test func `keeps the next request until it is asked for`() throws {
        var parser = HTTP1RequestParser()
        let text = "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\naGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
        Array(text.utf8).withUnsafeBytes { parser.receive($0) }
        guard case .head(let first) = parser.nextEvent() else { return #expect(Bool(false)) }
        #expect(first.head.target == "/1")
        #expect(parser.nextEvent() == .body([0x61]))
        #expect(!parser.isBetweenRequests)
        #expect(parser.nextEvent() == .end)
        #expect(parser.unreadBytes == 28)
        guard case .head(let second) = parser.nextEvent() else { return #expect(Bool(false)) }
        #expect(second.head.target == "/2")
        #expect(parser.nextEvent() == .end)
        #expect(parser.isBetweenRequests)
        #expect(parser.nextEvent() == nil)
    }

    @Test func `leaves what follows a CONNECT to the tunnel`() {
        var parser = HTTP1RequestParser()
        Array("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n\u{16}\u{3}".utf8).withUnsafeBytes { parser.receive($0) }
        _ = parser.nextEvent()
        #expect(parser.takeUnread() == [0x16, 0x03])
    }

    @Test func `keeps order and repetition of fields, and drops white space around values`() throws {
        let text = "GET / HTTP/1.1\r\nHost: h\r\nX-B:\t b c \t\r\nx-a:1\r\nX-B:\r\nX-U: \u{E9}\r\n\r\n"
        let start = try #require(requestEvents(text).starts.first)
        let expected = HTTPFields([("host", "h"), ("x-b", "b c"), ("x-a", "1"), ("x-b", ""), ("x-u", "\u{E9}")])
        #expect(start.head.fields == expected)
    }

    @Test func `takes a body part without Host and with bare line feeds`() throws {
        let text = "POST /x HTTP/1.1\nContent-Length: 2\n\n{}"
        let events = requestEvents(text, source: .bodyPart)
        #expect(events.starts.first?.head.target == "/x")
        #expect(events.suffix(2) == [.body(Array("{}".utf8)), .end])
    }

    @Test func `stays silent after a refusal`() {
        var parser = HTTP1RequestParser()
        Array("BAD\r\n".utf8).withUnsafeBytes { parser.receive($0) }
        #expect(parser.nextEvent() == .failed(.badRequestLine))
        Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8).withUnsafeBytes { parser.receive($0) }
        #expect(parser.nextEvent() == nil)
        #expect(parser.unreadBytes == 0)
    }

    @Test func `survives any damage to a request`() {
        var generator = SeededGenerator(seed: 1)
        let texts = RequestVectors.good.map { Array($0.text.utf8) }
        for _ in 0..<20_000 {
            let bytes = generator.mutate(
                texts.randomElement(using: &generator) ?? [], alphabet: Array("\r\n :0;,/".utf8))
            let whole = requestEvents(pieces: [bytes])
            #expect(requestEvents(pieces: generator.pieces(of: bytes, longest: 20)) == whole)
        }
    }
}
