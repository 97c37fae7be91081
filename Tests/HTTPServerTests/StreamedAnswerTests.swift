import HTTP1Wire
import HTTP2Wire
import HTTPSemantics
import NetTesting
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct `Answers that come piece by piece` {
    static let whole = Array("begin".utf8) + TestHandler.pieces.flatMap { $0 }

    @Test func `are chunked in HTTP/1, and the connection goes on`() async throws {
        try await withServer { running in
            let bytes = try await RawClient.run(port: running.port) { client in
                try client.send(
                    Array(
                        "GET /pieces HTTP/1.1\r\nHost: a\r\n\r\nGET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .utf8))
                return try client.receiveToEnd()
            }
            var parser = HTTP1ResponseParser(to: "GET")
            bytes.withUnsafeBytes { parser.receive($0) }
            var statuses: [Int] = []
            var body: [UInt8] = []
            while let event = parser.nextEvent() {
                switch event {
                case .head(let head): statuses.append(head.status)
                case .body(let piece): body += piece
                case .end: parser.expectResponse(to: "GET")
                default: continue
                }
            }
            #expect(statuses == [200, 200])
            #expect(body == Self.whole)
        }
    }

    @Test func `end with the connection in HTTP/1.0`() async throws {
        try await withServer { running in
            let bytes = try await RawClient.run(port: running.port) { client in
                try client.send(Array("GET /pieces HTTP/1.0\r\n\r\n".utf8))
                return try client.receiveToEnd()
            }
            #expect(bytes.suffix(Self.whole.count).elementsEqual(Self.whole))
            #expect(!String(decoding: bytes.prefix(400), as: UTF8.self).contains("chunked"))
        }
    }

    @Test func `are DATA frames in HTTP/2, beside other streams`() async throws {
        try await withServer { running in
            let (long, short) = try await HTTP2Peer.run(running.port) { peer in
                let (long, short) = (try peer.submit("GET", "/pieces"), try peer.submit("GET", "/echo"))
                try peer.pump { $0.answers.values.allSatisfy { $0.closed != nil } }
                return (peer.answers[long], peer.answers[short])
            }
            #expect(long == HTTP2Peer.Answer(status: 200, body: Self.whole, closed: .noError))
            #expect(short?.status == 200)
        }
    }

    @Test func `are not made faster than the client reads`() async throws {
        try await withServer { running in
            try await RawClient.run(port: running.port) { client in
                try client.send(Array("GET /pieces HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                var read = 0
                while read < 100_000 { read += try client.receive().count }
            }
            // The client has gone: the rest was never asked for, or is given up.
            #expect(running.handler.asked.load(ordering: .relaxed) <= TestHandler.pieces.count + 1)
        }
    }

    @Test func `have no body for HEAD`() async throws {
        try await withServer { running in
            let answer = try await HTTP2Peer.run(running.port) { peer in
                try peer.answer(to: peer.submit("HEAD", "/pieces"))
            }
            #expect(answer == HTTP2Peer.Answer(status: 200, body: [], closed: .noError))
            #expect(running.handler.asked.load(ordering: .relaxed) == 0)
        }
    }
}
