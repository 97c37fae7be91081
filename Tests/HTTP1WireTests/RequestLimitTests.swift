import HTTP1Wire
import HTTPSemantics
import Testing

@Suite struct `HTTP/1 request limits` {
    private static func request(target: Int = 1, fields: [String] = [], body: String = "") -> String {
        let target = "/" + String(repeating: "a", count: target - 1)
        return "POST \(target) HTTP/1.1\r\nHost: h\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    private static func events(_ text: String, _ change: (inout HTTP1Limits) -> Void) -> [HTTP1RequestEvent] {
        var limits = HTTP1Limits()
        change(&limits)
        return requestEvents(text, limits: limits)
    }

    @Test(arguments: [(8_178, nil), (8_179, HTTP1Error.targetTooLong)])
    func `a request line has 8,192 bytes`(target: Int, error: HTTP1Error?) {
        #expect(requestEvents(Self.request(target: target)).last == error.map(HTTP1RequestEvent.failed) ?? .end)
    }

    @Test func `a request line without end is refused as soon as it is too long`() {
        let text = "GET /" + String(repeating: "a", count: 8_189)
        #expect(requestEvents(String(text.dropLast())) == [])
        #expect(requestEvents(text) == [.failed(.targetTooLong)])
        #expect(HTTP1Error.targetTooLong.status == 414)
    }

    @Test(arguments: [(99, nil), (100, HTTP1Error.tooManyFields)])
    func `a header section has 100 lines`(lines: Int, error: HTTP1Error?) {
        let text = Self.request(fields: Array(repeating: "A: b", count: lines))
        #expect(requestEvents(text).last == error.map(HTTP1RequestEvent.failed) ?? .end)
        #expect(HTTP1Error.tooManyFields.status == 431)
    }

    @Test(arguments: [(90, nil), (91, HTTP1Error.headerSectionTooLarge)])
    func `a header section has its bytes`(value: Int, error: HTTP1Error?) {
        let text = Self.request(fields: ["A: " + String(repeating: "b", count: value - 14)])
        let events = Self.events(text) { $0.headerSectionBytes = 90 }
        #expect(events.last == error.map(HTTP1RequestEvent.failed) ?? .end)
    }

    @Test func `a field line without end is refused as soon as it is too long`() {
        let text = "GET / HTTP/1.1\r\nHost: h\r\nA: " + String(repeating: "b", count: 32_768)
        #expect(requestEvents(text) == [.failed(.headerSectionTooLarge)])
    }

    @Test func `chunk extensions are limited over the whole body`() {
        let chunk = "1;" + String(repeating: "e", count: 99) + "\r\na\r\n"
        let body = String(repeating: chunk, count: 3) + "0\r\n\r\n"
        let text = Self.request(fields: ["Transfer-Encoding: chunked"], body: body)
        #expect(Self.events(text) { $0.chunkExtensionBytes = 300 }.last == .end)
        #expect(Self.events(text) { $0.chunkExtensionBytes = 299 }.last == .failed(.badChunk))
    }

    @Test func `a chunk size line without end is refused as soon as it is too long`() {
        let text = Self.request(
            fields: ["Transfer-Encoding: chunked"], body: "1;" + String(repeating: "e", count: 9_000))
        #expect(requestEvents(text).last == .failed(.badChunk))
    }

    @Test func `trailers have the limits of fields`() {
        let trailers = String(repeating: "A: b\r\n", count: 101)
        let text = Self.request(fields: ["Transfer-Encoding: chunked"], body: "0\r\n" + trailers + "\r\n")
        #expect(requestEvents(text).last == .failed(.tooManyFields))
        let long = "A: " + String(repeating: "b", count: 33_000)
        let other = Self.request(fields: ["Transfer-Encoding: chunked"], body: "0\r\n" + long)
        #expect(requestEvents(other).last == .failed(.headerSectionTooLarge))
    }

    @Test func `every refusal has a status of its kind`() {
        #expect(HTTP1Error.allCases.allSatisfy { [400, 414, 417, 431, 501, 505].contains($0.status) })
    }
}
