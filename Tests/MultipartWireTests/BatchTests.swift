import HTTPSemantics
import MultipartWire
import Testing

@Suite struct `Batch requests and answers` {
    private func parse(_ parts: [String], lineEnd: String = "\r\n") throws -> [BatchItem] {
        let body = parts.map { "--b\r\n" + $0 + "\r\n" }.joined() + "--b--\r\n"
        let text = body.replacing("\r\n", with: lineEnd)
        return try BatchRequest.parse(Array(text.utf8), contentType: "multipart/mixed; boundary=b")
    }

    static let item =
        "Content-Length: 99\r\nContent-Type: application/http\r\ncontent-id: 1\r\ncontent-transfer-encoding: binary\r\n\r\n"
        + "POST /v1/projects/p/messages:send HTTP/1.1\r\nContent-Length: 2\r\nContent-Type: application/json; charset=UTF-8\r\n"
        + "authorization: Bearer t\r\n\r\n{}"

    @Test(arguments: ["\r\n", "\n"]) func `reads the requests of an SDK`(lineEnd: String) throws {
        let items = try parse([Self.item, Self.item + "\r\n"], lineEnd: lineEnd)
        #expect(items.count == 2)
        for item in items {
            #expect(item.contentID == "1")
            let request = try item.request.get()
            #expect(request.head.method == "POST")
            #expect(request.head.target == "/v1/projects/p/messages:send")
            #expect(request.head.fields["authorization"] == "Bearer t")
            #expect(request.body == Array("{}".utf8))
        }
    }

    @Test func `takes an absolute target, and a body without length to the end of the part`() throws {
        let text =
            "Content-Type: application/http\r\nContent-ID: <u + 2>\r\n\r\nPOST https://h/v1/x HTTP/1.1\r\nHost: g\r\n\r\n{\"a\":1}"
        let item = try #require(try parse([text]).first)
        let request = try item.request.get()
        #expect(request.head.target == "/v1/x")
        #expect(request.head.authority == "h")
        #expect(request.body == Array("{\"a\":1}".utf8))
    }

    @Test(
        arguments: [
            ("Content-Type: text/plain\r\n\r\nPOST / HTTP/1.1\r\n\r\n", BatchPartError.wrongContentType),
            ("Content-Type: application/http\r\n\r\nnothing", .malformedRequest),
            ("Content-Type: application/http\r\n\r\n", .malformedRequest),
            ("Content-Type: application/http\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}", .malformedRequest),
            ("Content-Type: application/http\r\n\r\nPOST / HTTP/3.0\r\n\r\n{}", .malformedRequest),
            ("Content-Type: application/http\r\n\r\nPOST / HTTP/1.1\r\nA : b\r\n\r\n{}", .malformedRequest),
        ])
    func `spares the other parts when one is bad`(text: String, error: BatchPartError) throws {
        let items = try parse([text, Self.item])
        #expect(items[0].request == .failure(error))
        #expect((try? items[1].request.get()) != nil)
    }

    @Test func `answers in order, with response ids`() throws {
        let answers = [
            BatchAnswer(contentID: "<u + 1>", response: HTTPResponse(status: 200, contentType: "a/b", text: "{}")),
            BatchAnswer(contentID: "2", response: HTTPResponse(status: 404)),
            BatchAnswer(contentID: nil, response: HTTPResponse(status: 200)),
        ]
        let boundary = try #require(MultipartBoundary("batch_x"))
        let response = BatchResponse.make(answers, boundary: boundary)
        #expect(response.fields["content-type"] == "multipart/mixed; boundary=batch_x")
        let parts = try MultipartMixed.parse(response.body, boundary: boundary)
        #expect(parts.map { $0.fields["content-id"] } == ["<response-u + 1>", "response-2", nil])
        #expect(parts.allSatisfy { $0.fields["content-type"] == "application/http" })
        let first = String(decoding: parts[0].body, as: UTF8.self)
        #expect(first == "HTTP/1.1 200 OK\r\ncontent-type: a/b\r\ncontent-length: 2\r\n\r\n{}")
    }
}
