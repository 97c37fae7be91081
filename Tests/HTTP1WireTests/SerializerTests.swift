import HTTP1Wire
import HTTPSemantics
import Testing

@Suite struct `HTTP/1 serializer` {
    static let post = HTTPRequestHead(method: "POST", target: "/", authority: "h")

    private func written(
        _ response: HTTPResponse, to request: HTTPRequestHead = post, keepsAlive: Bool = true, date: String = ""
    ) -> String {
        var output: [UInt8] = []
        HTTP1Serializer.write(response, to: request, keepsAlive: keepsAlive, date: date, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `writes an answer with its length`() {
        let response = HTTPResponse(status: 200, contentType: "text/plain", text: "hi")
        #expect(
            written(response, date: "Sun, 06 Nov 1994 08:49:37 GMT")
                == "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\ncontent-length: 2\r\n\r\nhi"
        )
    }

    @Test func `writes no body for HEAD, 204 and 304`() {
        let head = HTTPRequestHead(method: "HEAD", target: "/")
        let response = HTTPResponse(status: 200, body: [0x61])
        #expect(written(response, to: head) == "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n")
        #expect(written(HTTPResponse(status: 204)) == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(written(HTTPResponse(status: 304)) == "HTTP/1.1 304 Not Modified\r\n\r\n")
    }

    @Test func `says whether the connection goes on`() {
        let old = HTTPRequestHead(method: "GET", target: "/", version: .http10)
        #expect(written(HTTPResponse(status: 204), to: old).contains("connection: keep-alive\r\n"))
        #expect(written(HTTPResponse(status: 204), keepsAlive: false).contains("connection: close\r\n"))
        #expect(!written(HTTPResponse(status: 204)).contains("connection"))
    }

    @Test(arguments: ["a\r\nx: y", "a\nb", "a\rb", "a\0b"])
    func `lets no value begin a line`(value: String) {
        let text = written(HTTPResponse(status: 200, fields: HTTPFields([("a", value), ("b\r\nc", "d")])))
        #expect(text.utf8.count { $0 == 0x0A } == 5)
        #expect(text.utf8.count { $0 == 0x0D } == 5)
    }

    @Test func `writes a request that the parser reads back`() throws {
        let head = HTTPRequestHead(
            method: "POST", target: "/x?y", authority: "h:1", fields: HTTPFields([("accept", "*/*")]))
        var output: [UInt8] = []
        HTTP1Serializer.write(HTTPRequest(head: head, body: [0x61]), into: &output)
        let events = requestEvents(pieces: [output])
        let read = try #require(events.starts.first?.head)
        #expect(read.target == "/x?y")
        #expect(read.authority == "h:1")
        #expect(read.fields == HTTPFields([("host", "h:1"), ("accept", "*/*"), ("content-length", "1")]))
        #expect(events.suffix(2) == [.body([0x61]), .end])
    }

    @Test func `writes an absolute target for a proxy, and none that breaks the line`() {
        var output: [UInt8] = []
        HTTP1Serializer.write(HTTPRequest(head: Self.post), target: "http://h/ x\r\n", into: &output)
        #expect(String(decoding: output, as: UTF8.self).hasPrefix("POST http://h/_x__ HTTP/1.1\r\nhost: h\r\n"))
    }

    @Test func `writes chunks that the parser reads back`() {
        var output: [UInt8] = []
        HTTP1Serializer.writeContinue(into: &output)
        HTTP1Serializer.writeHead(
            status: 200, fields: HTTPFields([("transfer-encoding", "chunked")]), into: &output)
        HTTP1Serializer.writeChunk([UInt8](repeating: 0x61, count: 17), into: &output)
        HTTP1Serializer.writeChunk([], into: &output)
        HTTP1Serializer.writeLastChunk(into: &output)
        #expect(
            responseEvents(pieces: [output]).dropFirst()
                == [.body([UInt8](repeating: 0x61, count: 17)), .end])
    }
}
