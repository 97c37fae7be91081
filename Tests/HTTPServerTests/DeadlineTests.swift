import HTTPSemantics
import NetTesting
import Testing

@testable import HTTPServer

@Suite struct `Deadlines and limits of HTTP/1` {
    static func short(_ deadline: Duration) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.headerDeadline = deadline
        configuration.bodyDeadline = deadline
        configuration.keepAliveLimit = deadline
        return configuration
    }

    /// A busy machine may be slower than a deadline that is short enough to wait for: then a longer one says more.
    static let deadlines: [Duration] = [.milliseconds(40), .milliseconds(400), .seconds(4), .seconds(20)]

    @Test(
        arguments: [
            ("nothing", "", []), ("half a request line", "GET /ec", [408]),
            ("half a header section", "GET / HTTP/1.1\r\nHost: a\r\n", [408]),
            ("half a body", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello", [408]),
            ("half a preface", "PRI * HT", []),
            ("an idle connection", "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n", [200]),
            ("half a second request", "GET /echo HTTP/1.1\r\nHost: a\r\n\r\nGET", [200, 408]),
        ] as [(String, String, [Int])])
    func `a slow client is answered and closed`(name: String, request: String, statuses: [Int]) async throws {
        var last: [Int] = []
        for deadline in Self.deadlines where deadline == Self.deadlines[0] || last != statuses {
            try await withServer(Self.short(deadline)) { running in
                last = (try? await RawClient.ask(running.port, request))?.statuses ?? []
            }
        }
        #expect(last == statuses, "\(name)")
    }

    @Test func `a header section that trickles in does not outlive its deadline`() async throws {
        try await withServer(Self.short(.milliseconds(400))) { running in
            let answers = try await RawClient.run(port: running.port) { client in
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
                // Sends until the server has had enough; that is the only way out of the loop.
                while (try? client.send("X: y\r\n")) != nil {
                    let answer = try client.receiveIfAny(withinMilliseconds: 2)
                    if !answer.isEmpty { return Answers(answer) }
                }
                return Answers([])
            }
            #expect(answers.statuses == [408] || answers.statuses == [431])
        }
    }

    @Test func `more requests than the maximum are told to come again`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.maximumRequestsInFlight = 1
        try await withServer(configuration) { running in
            let port = running.port
            async let first = RawClient.ask(port, "GET /gate HTTP/1.1\r\n\(`HTTP/1 on a socket`.last)")
            await running.handler.gate.arrival(of: 1)
            let second = try await RawClient.ask(port, "GET /echo HTTP/1.1\r\n\(`HTTP/1 on a socket`.last)")
            #expect(second.statuses == [503])
            #expect(second.text.contains("retry-after: 1\r\n"))
            running.handler.gate.open()
            #expect(try await first.statuses == [200])
        }
    }

    @Test func `a client that goes away cancels its handler`() async throws {
        try await withServer { running in
            try await RawClient.run(port: running.port) { client in
                try client.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
                client.reset()
            }
            running.handler.gate.open()
            _ = try await RawClient.ask(running.port, "GET /echo HTTP/1.1\r\n\(`HTTP/1 on a socket`.last)")
            #expect(running.handler.seenCount >= 1)
        }
    }

    @Test func `draining finishes what is in flight, closes the idle and accepts no more`() async throws {
        try await withServer { running in
            let port = running.port
            let idle = try RawClient(port: port)
            try idle.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try idle.receive(atLeast: 10)
            async let busy = RawClient.ask(port, "GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
            await running.handler.gate.arrival(of: 1)
            async let drained: Void = running.server.drain(deadline: .seconds(30))
            let idleRest = try await BlockingThread.run { [client = UncheckedBox(idle)] in
                try client.value.receiveToEnd()
            }
            running.handler.gate.open()
            let answer = try await busy
            #expect(answer.statuses == [200])
            #expect(answer.text.contains("connection: close"))
            await drained
            #expect(idleRest.isEmpty || Answers(idleRest).statuses.isEmpty)
            #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
        }
    }

    @Test func `draining gives up at its deadline`() async throws {
        try await withServer { running in
            let port = running.port
            async let stuck = RawClient.ask(port, "GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
            await running.handler.gate.arrival(of: 1)
            await running.server.drain(deadline: .milliseconds(20))
            #expect((try? await stuck)?.statuses ?? [] == [])
            running.handler.gate.open()
        }
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
    ]) func `dates are written as RFC 9110 says`(seconds: Int, text: String) {
        #expect(DateText.format(secondsSince1970: seconds) == text)
    }
}

/// Carries a client into a thread; the test does not use it in the meantime.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
