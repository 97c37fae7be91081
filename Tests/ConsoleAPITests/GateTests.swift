import Accounts
import GoogleAPI
import HTTPSemantics
import JSON
import PushModel
import Testing

@testable import ConsoleAPI

@Suite struct `The gate of the console` {
    private static func endpoint(_ name: String, _ access: ConsoleEndpoint.Access, _ path: String) -> ConsoleEndpoint {
        ConsoleEndpoint("test.\(name)", "POST", path, "Test.", access: access) { request async throws(GoogleError) in
            .json(["user": .string(request.userName), "project": .string(request.project.id.text)])
        }
    }

    private static let endpoints = [
        endpoint("anybody", .anybody, "test/anybody"), endpoint("signedIn", .signedIn, "test/signed-in"),
        endpoint("server", .server, "test/server"),
        endpoint("viewer", .project(.viewer), "projects/{project}/test-viewer"),
        endpoint("editor", .project(.editor), "projects/{project}/test-editor"),
        endpoint("administrator", .project(.administrator), "projects/{project}/test-administrator"),
    ]

    private static let paths = [
        "test/anybody", "test/signed-in", "test/server", "projects/demo-kitchen/test-viewer",
        "projects/demo-kitchen/test-editor", "projects/demo-kitchen/test-administrator",
    ]

    static let roles: [(ConsoleRole?, Bool, [Int])] = [
        (nil, false, [200, 200, 403, 404, 404, 404]), (.viewer, false, [200, 200, 403, 200, 403, 403]),
        (.editor, false, [200, 200, 403, 200, 200, 403]), (.administrator, false, [200, 200, 403, 200, 200, 200]),
        (nil, true, [200, 200, 200, 200, 200, 200]),
    ]
    @Test(arguments: roles) func `opens by role`(
        row: (role: ConsoleRole?, isAdministrator: Bool, statuses: [Int])
    ) async throws {
        let world = try await ConsoleWorld(extra: Self.endpoints)
        let caller = try await world.visit(row.role, isAdministrator: row.isAdministrator)
        for (path, status) in zip(Self.paths, row.statuses) { #expect(await caller.status("POST", path) == status) }
        for path in Self.paths.dropFirst() { #expect(await world.stranger.status("POST", path) == 401) }
        #expect(await caller.status("POST", "projects/demo-nowhere/test-viewer") == 404)
    }

    static let refusals: [([String: String], Int)] = [
        ([:], 200), (["x-csrf-token": ""], 403), (["x-csrf-token": "AAAA"], 403),
        (["origin": "http://127.0.0.1:9599"], 200), (["origin": "https://127.0.0.1:9599"], 200),
        (["origin": "http://127.0.0.1:9600"], 403), (["origin": "http://evil.example"], 403), (["origin": "null"], 403),
        (["sec-fetch-site": "same-origin"], 200), (["sec-fetch-site": "none"], 200),
        (["sec-fetch-site": "same-site"], 403), (["sec-fetch-site": "cross-site"], 403),
        (["cookie": ""], 401), (["cookie": "pharos_session="], 401), (["cookie": "Pharos_session=x"], 401),
        (["authorization": "Bearer x"], 401), (["authorization": "Basic eDp5"], 401),
    ]
    @Test(arguments: refusals) func `tells our pages from others`(
        row: (fields: [String: String], status: Int)
    ) async throws {
        let world = try await ConsoleWorld(extra: Self.endpoints)
        let caller = try await world.visit()
        #expect(await caller.status("POST", "test/signed-in", nil, row.fields) == row.status)
    }

    static let hosts: [(String, Bool)] = [
        ("127.0.0.1:9599", true), ("localhost", true), ("LOCALHOST:9599", true), ("[::1]:9599", true),
        ("192.0.2.7", true), ("push.example.com", true), ("Push.Example.Com:443", true), ("", false),
        ("example.com", false), ("evil.push.example.com", false), ("push.example.com.evil.example", false),
        ("127.0.0.1.evil.example", false), ("1.2.3.4.5", false), ("256.1.1.1", false), ("[", false),
    ]
    @Test(arguments: hosts) func `answers under names that it knows`(row: (authority: String, isKnown: Bool))
        async throws
    {
        let world = try await ConsoleWorld()
        let answer = await world.stranger.call("GET", "session", authority: row.authority)
        #expect(answer.status == (row.isKnown ? 401 : 403))
    }

    @Test func `knows the names of a wildcard certificate`() {
        let origins = ConsoleOrigins(names: ["*.example.com"])
        let cases = [
            ("a.example.com", true), ("b.a.example.com", false), ("example.com", false), (".example.com", false),
        ]
        for (name, isKnown) in cases {
            let head = HTTPRequestHead(method: "GET", target: "/", authority: name)
            #expect(((try? origins.checkHost(of: head)) != nil) == isKnown, "\(name)")
        }
    }

    @Test func `takes a token instead of a cookie, without a forgery token`() async throws {
        let world = try await ConsoleWorld(extra: Self.endpoints)
        let caller = try await world.visit(.editor)
        let (_, text) = try await world.accounts.makeToken(named: "x", for: #require(caller.user), expiresAt: nil)
        let fields = ["authorization": "Bearer " + text]
        let stranger = world.stranger
        #expect(await stranger.status("POST", "projects/demo-kitchen/test-editor", nil, fields) == 200)
        #expect(await stranger.status("POST", "projects/demo-kitchen/test-administrator", nil, fields) == 403)
    }

    @Test func `marks every answer as private`() async throws {
        let world = try await ConsoleWorld()
        for path in ["session", "nowhere", "openapi.json"] {
            let answer = await world.stranger.call("GET", path)
            #expect(answer.fields["cache-control"] == "no-store")
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            #expect(answer.fields["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'")
            #expect(answer.fields["access-control-allow-origin"] == nil)
        }
    }
}
