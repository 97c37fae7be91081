import Accounts
import GoogleAPI
import HTTPSemantics
import JSON
import PushModel
import SQLiteStore
import Testing
import Timekeeping

@testable import ConsoleAPI

@Suite struct `The endpoints of sessions` {
    @Test func `set a cookie that only our pages send`() async throws {
        let world = try await ConsoleWorld()
        let caller = try await world.visit()
        let body = #"{"name":"\#(caller.user?.name.text ?? "")","password":"\#(ConsoleWorld.password)"}"#
        for (origin, isSecure) in [("http://127.0.0.1:9599", false), ("https://127.0.0.1:9599", true), ("", false)] {
            let answer = await world.stranger.call("POST", "session", body, ["origin": origin])
            let cookie = try #require(answer.fields["set-cookie"])
            #expect(cookie.contains("; HttpOnly; SameSite=Strict; Max-Age=604800") && cookie.contains("Path=/"))
            #expect(cookie.hasSuffix("; Secure") == isSecure)
        }
    }

    @Test func `note wrong passwords of people that exist, and of nobody else`() async throws {
        let world = try await ConsoleWorld()
        let name = try #require(await world.visit().user?.name.text)
        #expect(await world.stranger.status("POST", "session", #"{"name":"\#(name)","password":"no"}"#) == 401)
        #expect(await world.stranger.status("POST", "session", #"{"name":"flood","password":"no"}"#) == 401)
        let entries = try world.store.auditEntries(of: nil, before: nil, limit: 10)
        #expect(entries.map(\.action) == ["session.refused"] && entries.first?.user == name)
    }

    @Test func `take JSON only`() async throws {
        let world = try await ConsoleWorld()
        let body = #"{"name":"x","password":"y"}"#
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
            #expect(await world.stranger.status("POST", "session", body, ["content-type": type]) == 415)
        }
        #expect(
            await world.stranger.status("POST", "session", body, ["content-type": "Application/JSON; charset=utf-8"])
                == 401)
    }
}

@Suite struct `The audit log of the console` {
    @Test func `has a line for each change that worked, without secrets`() async throws {
        let world = try await ConsoleWorld()
        let caller = try await world.visit(.administrator)
        let path = "projects/demo-kitchen"
        #expect(await caller.status("PATCH", path, #"{"displayName":"New"}"#) == 200)
        #expect(await caller.status("PATCH", path, #"{"displayName":""}"#) == 400)
        #expect(await caller.status("GET", path) == 200)
        #expect(await caller.status("POST", path + "/server-keys") == 200)
        let entries = try world.store.auditEntries(of: world.project.number, before: nil, limit: 10)
        #expect(entries.map(\.action) == ["serverKey.create", "project.update"])
        #expect(entries.allSatisfy { $0.user == caller.user?.name.text && $0.time == world.clock.now() })
        #expect(!entries.contains { ($0.subject + $0.detail).contains("AAAA") })
    }
}

@Suite struct `The endpoints of apps` {
    static let bodies: [(String, Int, String?)] = [
        (#"{"platform":"ios","bundleId":"com.example.app"}"#, 200, nil),
        (#"{"platform":"android","bundleId":"com.example.my_app","displayName":"<script>"}"#, 200, nil),
        (#"{"platform":"web"}"#, 200, nil), (#"{"platform":"web","bundleId":"shop.example.com"}"#, 200, nil),
        (#"{"platform":"ios","bundleId":""}"#, 400, "bundleId"), (#"{"platform":"ios"}"#, 400, "bundleId"),
        (#"{"platform":"ios","bundleId":"com.example.my_app"}"#, 400, "bundleId"),
        (#"{"platform":"android","bundleId":"single"}"#, 400, "bundleId"),
        (#"{"platform":"ios","bundleId":"com..app"}"#, 400, "bundleId"),
        (#"{"platform":"windows","bundleId":"com.example.app"}"#, 400, "platform"), ("{}", 400, "platform"),
    ]
    @Test(arguments: bodies) func `take apps with the ids of their platform`(
        row: (body: String, status: Int, field: String?)
    ) async throws {
        let world = try await ConsoleWorld()
        let caller = try await world.visit(.administrator)
        let answer = await caller.call("POST", "projects/demo-kitchen/apps", row.body)
        #expect(answer.status == row.status)
        if let field = row.field { #expect(answer.violatedFields == [field]) }
    }

    @Test func `give each platform its file`() async throws {
        let world = try await ConsoleWorld()
        let caller = try await world.visit(.administrator)
        let files = [
            (AppPlatform.ios, "com.example.a", "GoogleService-Info.plist"),
            (.android, "com.example.b", "google-services.json"), (.web, "", "firebase-config.json"),
        ]
        for (platform, bundleID, name) in files {
            let app = try await world.store.createApp(
                in: world.project.number, platform: platform, bundleID: bundleID, displayName: "")
            let answer = await caller.call(
                "GET", "projects/demo-kitchen/apps/\(app.id)/config", authority: "push.example.com:9600")
            #expect(answer.fields["content-disposition"] == "attachment; filename=\"\(name)\"")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(app.id.text) && text.contains("https://push.example.com:9600"))
        }
    }
}

@Suite struct `The address in files` {
    static let rows: [(authority: String, fields: [(String, String)], url: String, channel: String)] = [
        ("127.0.0.1:9599", [], "http://127.0.0.1:9599", "127.0.0.1:5228"),
        ("localhost:9600", [], "https://localhost:9600", "localhost:5228"),
        ("[::1]:9599", [], "http://[::1]:9599", "[::1]:5228"),
        ("push.example.com", [("x-forwarded-proto", "https")], "https://push.example.com", "push.example.com:5228"),
        (
            "push.example.com", [("origin", "https://push.example.com")], "https://push.example.com",
            "push.example.com:5228"
        ),
    ]
    @Test(arguments: rows) func `is the one that the person sees`(
        row: (authority: String, fields: [(String, String)], url: String, channel: String)
    ) {
        let address = PublicAddress(publicURL: nil, httpsPort: 9600, deviceDoor: "0.0.0.0:5228")
        let head = HTTPRequestHead(
            method: "GET", target: "/", authority: row.authority, fields: HTTPFields(row.fields))
        #expect(address.serverURL(seenBy: head) == row.url)
        #expect(address.directChannel(seenBy: head) == row.channel)
    }

    @Test func `is what the settings say`() {
        let address = PublicAddress(publicURL: "https://push.example.com/base", httpsPort: nil, deviceDoor: "1:2")
        let head = HTTPRequestHead(method: "GET", target: "/", authority: "10.0.0.1")
        #expect(address.serverURL(seenBy: head) == "https://push.example.com/base")
        #expect(address.directChannel(seenBy: head) == "push.example.com:2")
    }
}
