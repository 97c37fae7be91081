import EventLoop
import HTTPSemantics
import HTTPServer
import NetTesting
import Testing
import Transport

@testable import HTTPClient

@Suite struct `HTTP client` {
    @Test func `a request arrives as it was meant, and its answer too`() async throws {
        try await withWorld { world in
            let response = try await world.client.send(
                "POST", world.url("/a?b=c"), fields: HTTPFields([("content-type", "text/x")]), body: [1, 2, 3])
            #expect(response.status == 200)
            #expect(response.body == [1, 2, 3])
            #expect(response.fields["x-method"] == "POST")
            #expect(response.fields["x-target"] == "/a?b=c")
            #expect(response.fields["x-authority"] == "127.0.0.1:\(world.listener.port)")
            #expect(response.fields["x-type"] == "text/x")
            let other = try await world.client.send("HEAD", world.url("/large"))
            #expect(other.status == 200 && other.body.isEmpty)
            #expect(try await world.client.send("GET", world.url("/teapot")).status == 418)
        }
    }

    @Test func `only addresses that the configuration allows are connected to`() async throws {
        var configuration = HTTPClientConfiguration()
        configuration.allowsAddress = { $0 == "127.0.0.1" }
        try await withWorld(client: configuration) { world in
            for host in ["127.0.0.1", "localhost", "127.1"] {
                let response = try await world.client.send("GET", world.url(host: host))
                #expect(response.status == 200)
            }
            for host in ["127.0.0.2", "::1", "0.0.0.0", "127.2"] {
                await #expect(throws: HTTPClientError.addressRefused) {
                    _ = try await world.client.send("GET", world.url(host: host))
                }
            }
        }
    }

    @Test func `a connection is kept and used again`() async throws {
        try await withWorld { world in
            var connections: Set<String> = []
            for _ in 0..<20 {
                let response = try await world.client.send("GET", world.url())
                connections.insert(response.fields["x-connection"] ?? "")
            }
            #expect(connections.count == 1)
        }
    }

    @Test func `requests beyond the connections wait for their turn`() async throws {
        var configuration = HTTPClientConfiguration()
        configuration.maximumConnectionsPerOrigin = 3
        try await withWorld(client: configuration) { world in
            let connections = try await withThrowingTaskGroup { group in
                for index in 0..<200 {
                    group.addTask { [client = world.client, url = world.url()] in
                        let response = try await client.send("POST", url, body: Array("\(index)".utf8))
                        #expect(response.body == Array("\(index)".utf8))
                        return response.fields["x-connection"] ?? ""
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(connections.count <= 3)
        }
    }

    @Test func `a kept connection that the server has closed does no harm`() async throws {
        var serverConfiguration = HTTPServerConfiguration()
        serverConfiguration.keepAliveLimit = .milliseconds(5)
        try await withWorld(server: serverConfiguration) { world in
            for index in 0..<20 {
                let response = try await world.client.send("GET", world.url())
                #expect(response.status == 200)
                try await Task.sleep(for: .milliseconds(index % 4 * 2 + 1))
            }
        }
    }

    @Test(arguments: [false, true]) func `over TLS the host is verified`(redirects: Bool) async throws {
        var configuration = HTTPClientConfiguration()
        configuration.trust = .authorities(pem: TestCertificates.authority)
        try await withWorld(secure: true, client: configuration) { world in
            var redirected = configuration
            redirected.redirect = .init(host: "127.0.0.1", port: world.listener.port)
            let client = redirects ? try HTTPClient(redirected, loop: world.group.next()) : world.client
            let name = redirects ? "service.example" : "localhost"
            let good = try await client.send("GET", world.url("/", host: name, isSecure: true))
            #expect(good.status == 200)
            #expect(good.fields["x-authority"] == "\(name):\(world.listener.port)")
            // Only a redirected client gets as far as the certificate of a host that is not this machine.
            let other = "other.example"
            guard redirects else { return }
            guard case .tlsFailed = await failure(of: client, world.url("/", host: other, isSecure: true)) else {
                Issue.record("another host's certificate was taken")
                return
            }
        }
    }

    @Test func `every failure has its name`() async throws {
        var configuration = HTTPClientConfiguration()
        configuration.requestDeadline = .milliseconds(100)
        configuration.maximumResponseBytes = 100_000
        try await withWorld(secure: true) { world in
            guard case .tlsFailed = await failure(of: world.client, world.url(isSecure: true)) else {
                Issue.record("an unknown authority was trusted")
                return
            }
        }
        try await withWorld(client: configuration) { world in
            #expect(await failure(of: world.client, world.url("/hang")) == .timedOut)
        }
        configuration.requestDeadline = .seconds(60)
        try await withWorld(client: configuration) { world in
            #expect(await failure(of: world.client, world.url("/large")) == .responseTooLarge)
            // Nobody listens on port 1 (tcpmux).
            let closed = HTTPURL(isSecure: false, host: "127.0.0.1", port: 1)
            let failure = await failure(of: world.client, closed)
            #expect(failure == .cannotConnect(detail: "Connection refused"))
            #expect(failure.map { "\($0)" } == "Connection refused")
        }
    }

    /// Why there was no answer; `nil` when there was one.
    private func failure(of client: HTTPClient, _ url: HTTPURL) async -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await client.send("GET", url)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a cancelled task stops waiting`() async throws {
        try await withWorld { world in
            let task = Task { [client = world.client, url = world.url("/hang")] in
                try await client.send("GET", url)
            }
            while world.server.requestsInFlight == 0 { await Task.yield() }
            task.cancel()
            await #expect(throws: HTTPClientError.cancelled) { _ = try await task.value }
            let early = Task { [client = world.client, url = world.url()] in
                while !Task.isCancelled { await Task.yield() }
                return try await client.send("GET", url)
            }
            early.cancel()
            await #expect(throws: HTTPClientError.cancelled) { _ = try await early.value }
        }
    }

    static let scripts: [(answer: String, closes: Bool, error: HTTPClientError?)] = [
        ("HTTP/1.1 200 OK\r\n\r\nuntil the end", true, nil),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", false, nil),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", false, nil),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", true, .connectionLost),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok", true, .connectionLost),
        ("", true, .connectionLost), ("HTTP/1.1 200", true, .connectionLost),
        ("SSH-2.0-nonsense\r\n", false, .malformedResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", false, .malformedResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", false, .responseTooLarge),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx", false, .malformedResponse),
    ]

    @Test(arguments: scripts.indices) func `strange servers are borne`(index: Int) async throws {
        let row = Self.scripts[index]
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        let listener = try Listener(ListenerOptions(), loops: group.loops) { _ in
            ScriptedHandler(row.answer, closes: row.closes)
        }
        let client = try HTTPClient(loop: group.next())
        let url = HTTPURL(isSecure: false, host: "127.0.0.1", port: listener.port)
        do {
            let response = try await client.send("POST", url)
            #expect(row.error == nil && response.status == 200 && !response.body.isEmpty)
        } catch {
            #expect(error == row.error)
        }
    }

    @Test func `gzip is undone`() async throws {
        var serverConfiguration = HTTPServerConfiguration()
        serverConfiguration.compressedAnswerBytes = 100
        try await withWorld(server: serverConfiguration) { world in
            let response = try await world.client.send(
                "GET", world.url("/text"), fields: HTTPFields([("accept-encoding", "gzip")]))
            #expect(response.body == [UInt8](repeating: 65, count: 50_000))
            #expect(response.fields["content-encoding"] == nil)
        }
    }

    @Test func `a proxy is asked for a tunnel, and TLS goes through it`() async throws {
        try await withWorld(secure: true) { world in
            let target = HTTPClientConfiguration.Endpoint(host: "127.0.0.1", port: world.listener.port)
            let proxy = try Listener(ListenerOptions(), loops: world.group.loops) { _ in TunnelHandler(to: target) }
            let refusing = try Listener(ListenerOptions(), loops: world.group.loops) { _ in
                TunnelHandler(to: target, status: "403 Forbidden")
            }
            var configuration = HTTPClientConfiguration()
            configuration.trust = .authorities(pem: TestCertificates.authority)
            configuration.proxy = .init(host: "127.0.0.1", port: proxy.port)
            let client = try HTTPClient(configuration, loop: world.group.next())
            for _ in 0..<3 {
                let response = try await client.send(
                    "POST", HTTPURL(isSecure: true, host: "service.example"), body: [7])
                #expect(response.body == [7])
                #expect(response.fields["x-authority"] == "service.example")
            }
            configuration.proxy = .init(host: "127.0.0.1", port: refusing.port)
            let refused = try HTTPClient(configuration, loop: world.group.next())
            let url = HTTPURL(isSecure: true, host: "service.example")
            #expect(await failure(of: refused, url) == .cannotConnect(detail: "the proxy answered 403"))
        }
    }

    @Test func `plain requests reach a proxy in absolute form`() async throws {
        try await withWorld { world in
            var configuration = HTTPClientConfiguration()
            configuration.proxy = .init(host: "127.0.0.1", port: world.listener.port)
            let client = try HTTPClient(configuration, loop: world.group.next())
            let response = try await client.send("GET", HTTPURL(isSecure: false, host: "far.example", target: "/x"))
            #expect(response.fields["x-authority"] == "far.example")
            #expect(response.fields["x-target"] == "/x")
        }
    }

    @Test func `a client that was shut down answers no more`() async throws {
        try await withWorld { world in
            world.client.shutDown()
            #expect(await failure(of: world.client, world.url()) == .connectionLost)
        }
    }
}

@Suite struct `HTTP URLs` {
    @Test(arguments: [
        ("http://a", "http://a/"), ("HTTPS://A.example:443/x?y#z", "https://a.example/x?y"),
        ("http://a:8080?q=1", "http://a:8080/?q=1"), ("https://[::1]:99/", "https://[::1]:99/"),
        ("http://127.0.0.1:80", "http://127.0.0.1/"), ("http://a:", "http://a/"),
        (
            "https://fcm.googleapis.com/v1/projects/p/messages:send",
            "https://fcm.googleapis.com/v1/projects/p/messages:send"
        ),
    ]) func `good ones`(text: String, normal: String) {
        #expect(HTTPURL(text)?.description == normal)
    }

    @Test(arguments: [
        "", "a", "ftp://a", "http://", "http:///x", "http://a b/", "http://a/ b", "http://a:0", "http://a:65536",
        "http://a:x", "http://user@a/", "http://[::1", "http://[::1]x", "http://a/\r\nX: y", "http://a/ä", "http://ä/",
        "http://a:-1", "http://a:+1",
    ]) func `bad ones`(text: String) {
        #expect(HTTPURL(text) == nil)
    }
}
