import HTTP1Wire
import HTTPSemantics
import PropertyTesting
import Testing

@Suite struct `HTTP/1 response parser` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var method = "GET"
        var closes = false
        var status = 200
        var content = ""
        var keepsAlive = true

        init(
            _ name: String, _ text: String, method: String = "GET", closes: Bool = false, status: Int = 200,
            content: String = "", keepsAlive: Bool = true
        ) {
            testDescription = name
            self.text = text
            self.method = method
            self.closes = closes
            self.status = status
            self.content = content
            self.keepsAlive = keepsAlive
        }
    }

    static let good = [
        Row("length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", content: "ab"),
        Row("no reason, no space", "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", status: 404),
        Row("empty reason", "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n", status: 404),
        Row("chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", content: "ab"),
        Row(
            "until close", "HTTP/1.1 200 OK\r\n\r\nab", closes: true, content: "ab", keepsAlive: false),
        Row("nothing until close", "HTTP/1.1 200 OK\r\n\r\n", closes: true, keepsAlive: false),
        Row("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", method: "HEAD"),
        Row("204", "HTTP/1.1 204 No Content\r\n\r\n", status: 204),
        Row("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304),
        Row("CONNECT", "HTTP/1.1 200 Established\r\n\r\n", method: "CONNECT"),
        Row("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", content: "a", keepsAlive: false),
        Row(
            "interim answers",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            content: "a"),
        Row(
            "close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", keepsAlive: false),
    ]

    static let bad: [Vector<HTTP1Error>] = [
        Vector("other protocol", "ICY 200 OK\r\n\r\n", .badStatusLine),
        Vector("short status", "HTTP/1.1 20 OK\r\n\r\n", .badStatusLine),
        Vector("long status", "HTTP/1.1 2000 OK\r\n\r\n", .badStatusLine),
        Vector("status below 100", "HTTP/1.1 099 OK\r\n\r\n", .badStatusLine),
        Vector("no status", "HTTP/1.1\r\n\r\n", .badStatusLine),
        Vector("control character in the reason", "HTTP/1.1 200 \u{1}\r\n\r\n", .badStatusLine),
        Vector("HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", .unsupportedVersion),
        Vector("switching protocols", "HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\n", .unexpectedUpgrade),
        Vector("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .ambiguousLength),
        Vector(
            "length and coding", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            .ambiguousLength),
        Vector("other coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: br\r\n\r\n", .unsupportedTransferCoding),
        Vector("cut off in the status line", "HTTP/1.1 200", .truncated),
        Vector("cut off in the fields", "HTTP/1.1 200 OK\r\nA: b\r\n", .truncated),
        Vector("cut off in the body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", .truncated),
        Vector("cut off in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na", .truncated),
        Vector("no answer", "", .truncated),
        Vector("folded field", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .foldedField),
    ]

    @Test(arguments: good) func `reads a good answer`(row: Row) throws {
        let events = responseEvents(row.text, to: row.method, closes: row.closes)
        let start = try #require(events.starts.first)
        #expect(start.status == row.status)
        #expect(start.keepsAlive == row.keepsAlive)
        let content: [HTTP1ResponseEvent] = row.content.isEmpty ? [] : [.body(Array(row.content.utf8))]
        #expect(Array(events.dropFirst()) == content + [.end])
    }

    @Test(arguments: bad) func `refuses a bad answer`(vector: Vector<HTTP1Error>) {
        #expect(responseEvents(vector.text, closes: true).last == .failed(vector.outcome))
    }

    @Test func `gives the same events wherever the bytes are cut`() {
        for row in Self.good {
            let bytes = Array(row.text.utf8)
            let whole = responseEvents(pieces: [bytes], to: row.method, closes: row.closes)
            for cut in 1..<bytes.count {
                let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
                #expect(responseEvents(pieces: pieces, to: row.method, closes: row.closes) == whole)
            }
        }
    }

    @Test func `reads one answer after the other on a connection`() throws {
        var parser = HTTP1ResponseParser(to: "GET")
        for text in ["a", "b"] {
            Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(text)".utf8).withUnsafeBytes { parser.receive($0) }
            _ = parser.nextEvent()
            #expect(parser.nextEvent() == .body(Array(text.utf8)))
            #expect(parser.nextEvent() == .end)
            #expect(parser.nextEvent() == nil)
            parser.expectResponse(to: "GET")
        }
    }

    @Test func `survives any damage to an answer`() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<10_000 {
            let text = Self.good.randomElement(using: &generator)?.text ?? ""
            let bytes = generator.mutate(Array(text.utf8), alphabet: Array("\r\n :0;,/".utf8))
            let whole = responseEvents(pieces: [bytes], closes: true)
            let pieces = generator.pieces(of: bytes, longest: 20)
            #expect(responseEvents(pieces: pieces, closes: true) == whole)
        }
    }
}
