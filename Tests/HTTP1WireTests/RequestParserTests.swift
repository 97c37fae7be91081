import HTTP1Wire
import HTTPSemantics
import Testing

/// All events that `text` gives when it arrives in pieces of `pieceBytes`.
func requestEvents(
    _ text: String, pieceBytes: Int = .max, source: HTTP1RequestParser.Source = .connection,
    limits: HTTP1Limits = HTTP1Limits()
) -> [HTTP1RequestEvent] {
    var parser = HTTP1RequestParser(limits: limits, source: source)
    var events: [HTTP1RequestEvent] = []
    var rest = ArraySlice(text.utf8)
    while !rest.isEmpty {
        let piece = Array(rest.prefix(pieceBytes))
        rest = rest.dropFirst(piece.count)
        piece.withUnsafeBytes { parser.receive($0) }
        while let event = parser.nextEvent() { events.append(event) }
    }
    return events
}

@Suite struct `HTTP/1 request parser` {
    @Test func `a request with a length and the next one behind it`() throws {
        let text =
            "POST /v1/x?a=b HTTP/1.1\r\nHost: h:1\r\nContent-Length: 3\r\nX-Y:  z \r\n\r\nabcGET / HTTP/1.1\r\nHost: h\r\n\r\n"
        let events = requestEvents(text)
        guard case .head(let first) = try #require(events.first) else { return }
        #expect(first.head.method == "POST")
        #expect(first.head.path == "/v1/x")
        #expect(first.head.authority == "h:1")
        #expect(first.head.fields == HTTPFields([("host", "h:1"), ("content-length", "3"), ("x-y", "z")]))
        #expect(first.body == .length(3))
        #expect(first.keepsAlive)
        #expect(events[1] == .body(Array("abc".utf8)))
        #expect(events[2] == .end)
        #expect(events.count == 5)
    }
}
