import Compression
import HTTPSemantics
import NetTesting
import Synchronization
import Testing

@testable import HTTPServer

/// What goes in on one connection, and the statuses that come back before it is closed.
struct Exchange: Sendable, CustomTestStringConvertible {
    let name: String
    let request: [UInt8]
    let statuses: [Int]
    /// Requests that reach the handler.
    let seen: Int

    init(_ name: String, _ request: String, _ statuses: [Int], seen: Int? = nil) {
        self.init(name, Array(request.utf8), statuses, seen: seen)
    }

    init(_ name: String, _ request: [UInt8], _ statuses: [Int], seen: Int? = nil) {
        self.name = name
        self.request = request
        self.statuses = statuses
        self.seen = seen ?? statuses.count { $0 == 200 || $0 == 204 || $0 == 404 || $0 == 401 }
    }

    var testDescription: String { name }
}

@Suite struct `HTTP/1 on a socket` {
    static let last = "Host: a\r\nConnection: close\r\n\r\n"
    static let gzipped = Deflation.deflate(Array("hello".utf8), format: .gzip)
    static let bomb = Deflation.deflate([UInt8](repeating: 0, count: 5_000_000), format: .gzip)

    static func post(_ fields: String, _ body: [UInt8]) -> [UInt8] {
        Array("POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields)\r\n".utf8) + body
    }

    static let good = [
        Exchange("a request", "GET /echo HTTP/1.1\r\n\(last)", [200]),
        Exchange("two in one segment", "GET /echo HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\n\(last)", [200, 404]),
        Exchange(
            "a body and then another request",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /empty HTTP/1.1\r\n\(last)",
            [200, 204]),
        Exchange(
            "an early error keeps the connection in step",
            "POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n"
                + String(repeating: "b", count: 20_000) + "GET /echo HTTP/1.1\r\n\(last)", [401, 200]),
        Exchange("HTTP/1.0 ends by itself", "GET /echo HTTP/1.0\r\n\r\n", [200]),
        Exchange(
            "HTTP/1.0 with keep-alive",
            "GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /echo HTTP/1.0\r\n\r\n", [200, 200]),
        Exchange(
            "a chunked body", post("Transfer-Encoding: chunked\r\n", Array("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n".utf8)),
            [200]),
        Exchange(
            "a gzipped body", post("Content-Encoding: gzip\r\nContent-Length: \(gzipped.count)\r\n", gzipped), [200]),
        Exchange("HEAD", "HEAD /echo HTTP/1.1\r\n\(last)", [200]),
        Exchange("an answer that the server cannot send", "GET /nonsense HTTP/1.1\r\n\(last)", [500], seen: 1),
    ]

    static let bad = [
        Exchange("no request", "hello\r\n\r\n", [400]),
        Exchange("no host", "GET / HTTP/1.1\r\n\r\n", [400]),
        Exchange(
            "length and chunks",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\(last)",
            [400]),
        Exchange(
            "two lengths", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            [400]),
        Exchange("a folded field", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n", [400]),
        Exchange("a bad chunk", post("Transfer-Encoding: chunked\r\n", Array("zz\r\nhello\r\n0\r\n\r\n".utf8)), [400]),
        Exchange("an unknown coding", post("Transfer-Encoding: gzip\r\n", []), [501]),
        Exchange("a bare line feed", "GET / HTTP/1.1\nHost: a\n\n", [400]),
        Exchange("a later version", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", [505]),
        Exchange("a long target", "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n\(last)", [414]),
        Exchange(
            "a large field", "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n", [431]),
        Exchange("another expectation", post("Expect: more\r\nContent-Length: 1\r\n", []), [417]),
        Exchange("a tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", [501]),
        Exchange("an announced body beyond the limit", post("Content-Length: 100001\r\n", []), [413]),
        Exchange(
            "a large body with an expectation is refused before it is sent",
            post("Expect: 100-continue\r\nContent-Length: 100001\r\n", []), [413]),
        Exchange(
            "a chunked body beyond the limit",
            post("Transfer-Encoding: chunked\r\n", Array("1C000\r\n".utf8) + [UInt8](repeating: 65, count: 0x1C000)),
            [413]),
        Exchange(
            "a compression bomb", post("Content-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n", bomb), [413]),
        Exchange(
            "what only says gzip", post("Content-Encoding: gzip\r\nContent-Length: 5\r\n", Array("hello".utf8)), [400]),
        Exchange(
            "gzip cut off",
            post("Content-Encoding: gzip\r\nContent-Length: \(gzipped.count - 4)\r\n", Array(gzipped.dropLast(4))),
            [400]),
        Exchange("an unknown encoding", post("Content-Encoding: br\r\nContent-Length: 1\r\n", [1]), [415]),
        Exchange(
            "a good request and then nonsense", "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n\"}\r\n\r\n", [200, 400], seen: 1),
    ]

    @Test(arguments: good + bad) func `each request has its answers, and then the connection ends`(row: Exchange)
        async throws
    {
        try await withServer { running in
            let answers = try await RawClient.ask(running.port, row.request)
            #expect(answers.statuses == row.statuses)
            #expect(running.handler.seenCount == row.seen)
        }
    }

    @Test(arguments: good) func `the same, byte by byte`(row: Exchange) async throws {
        guard row.request.count < 2_000 else { return }
        try await withServer { running in
            let answers = try await RawClient.run(port: running.port) { client in
                for byte in row.request { try client.send([byte]) }
                return Answers(try client.receiveToEnd())
            }
            #expect(answers.statuses == row.statuses)
        }
    }

    @Test func `bodies arrive decoded`() async throws {
        try await withServer { running in
            for index in Self.good.indices { _ = try await RawClient.ask(running.port, Self.good[index].request) }
            let bodies = running.handler.seen.withLock { $0.map(\.body) }.filter { !$0.isEmpty && $0.count < 100 }
            #expect(bodies.count == 3)
            #expect(bodies.allSatisfy { $0 == Array("hello".utf8) })
            #expect(running.handler.seen.withLock { $0.allSatisfy { $0.peerAddress == "127.0.0.1" } })
        }
    }

    @Test func `an answer has length and date, and nothing that a handler forged`() async throws {
        try await withServer { running in
            let text = try await RawClient.ask(running.port, "GET /rogue HTTP/1.1\r\n\(Self.last)").text
            #expect(text.contains("content-length: 5\r\n"))
            #expect(!text.contains("chunked"))
            #expect(!text.contains("\r\nx-forged"))
            #expect(text.contains("connection: close\r\n"))
            #expect(text.contains(" GMT\r\n"))
            let head = try await RawClient.ask(running.port, "HEAD /large HTTP/1.1\r\n\(Self.last)").text
            #expect(head.contains("content-length: 2000000\r\n"))
            #expect(head.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `an expectation is met at once, and the body is then read`() async throws {
        try await withServer { running in
            let answers = try await RawClient.run(port: running.port) { client in
                try client.send(Self.post("Expect: 100-continue\r\nContent-Length: 5\r\n", []))
                let first = try client.receive(atLeast: 25)
                try client.send("hello")
                return Answers(first + (try client.receiveToEnd()))
            }
            #expect(answers.statuses == [100, 200])
            #expect(answers.text.hasSuffix("hello"))
        }
    }

    @Test func `a client that ended its input gets its answer`() async throws {
        try await withServer { running in
            let answers = try await RawClient.run(port: running.port) { client in
                try client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\nGET /empty HTTP/1.1\r\nHost: a\r\n\r\n")
                client.finishSending()
                return Answers(try client.receiveToEnd())
            }
            #expect(answers.statuses == [200, 204])
        }
    }

    @Test(arguments: [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello", "GET /echo HTT",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ]) func `a request that the client cut off reaches no handler`(request: String) async throws {
        try await withServer { running in
            let answers = try await RawClient.run(port: running.port) { client in
                try client.send(request)
                client.finishSending()
                return Answers(try client.receiveToEnd())
            }
            #expect(answers.statuses == [400])
            #expect(running.handler.seenCount == 0)
        }
    }

    @Test func `pipelined requests are answered in order and bounded in number`() async throws {
        try await withServer { running in
            let count = 2_000
            let answers = try await RawClient.run(port: running.port) { client in
                for index in 0..<count {
                    let close = index == count - 1 ? "Connection: close\r\n" : ""
                    let body = "\(index)"
                    try client.send(
                        "POST /echo HTTP/1.1\r\nHost: a\r\n\(close)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                }
                return Answers(try client.receiveToEnd())
            }
            #expect(answers.statuses.count == count)
            let bodies = answers.text.split(separator: "HTTP/1.1 200 OK").map {
                $0.split(separator: "\r\n\r\n").last ?? ""
            }
            #expect(bodies == (0..<count).map { Substring("\($0)") })
        }
    }

    @Test func `a large answer reaches a slow reader whole`() async throws {
        try await withServer { running in
            let answers = try await RawClient.ask(running.port, "GET /large HTTP/1.1\r\n\(Self.last)")
            #expect(answers.text.utf8.count > 2_000_000)
        }
    }

    @Test func `a handler stays on its loop`() async throws {
        try await withServer { running in
            let answers = try await RawClient.ask(running.port, "GET /isolated HTTP/1.1\r\n\(Self.last)")
            #expect(answers.statuses == [200])
        }
    }

    @Test func `text answers are compressed for those who ask`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.compressedAnswerBytes = 1_000
        try await withServer(configuration) { running in
            let asked = try await RawClient.ask(
                running.port, "GET /large HTTP/1.1\r\nAccept-Encoding: br, gzip\r\n\(Self.last)")
            #expect(asked.text.utf8.count < 100_000)
            #expect(asked.text.contains("content-encoding: gzip\r\n"))
            let refused = try await RawClient.ask(
                running.port, "GET /large HTTP/1.1\r\nAccept-Encoding: gzip;q=0\r\n\(Self.last)")
            #expect(refused.text.utf8.count > 2_000_000)
        }
    }

    @Test func `exchanges are counted`() async throws {
        try await withServer { running in
            _ = try await RawClient.ask(running.port, Self.good[2].request)
            _ = try await RawClient.ask(running.port, "nonsense\r\n\r\n")
            await running.server.drain(deadline: .seconds(5))
            let counts = running.metrics.counts.withLock { $0 }
            #expect(counts.opened == 2 && counts.closed == 2)
            #expect(counts.started == 2)
            #expect(counts.refused == [400])
            #expect(counts.ended.map(\.status) == [200, 204])
            #expect(counts.ended.map(\.requestBodyBytes) == [5, 0])
            #expect(running.server.requestsInFlight == 0)
        }
    }
}
