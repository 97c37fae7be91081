import AppServerTesting
import Bytes
import Crypto
import HTTPSemantics
import JSON
import PropertyTesting
import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Subscriptions of the first web SDK` {
    private func form(_ world: BrowserWorld, _ changes: [String: String?] = [:]) -> String {
        var fields: [String: String] = [
            "authorized_entity": world.world.project.number.description, "endpoint": "https://push.example.net/abc",
            "encryption_key": world.keys.p256dh, "encryption_auth": world.keys.auth,
        ]
        for (name, value) in changes { fields[name] = value }
        return fields.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    @Test func `get a token that senders can use, and the secret to end it`() async throws {
        let world = try await BrowserWorld()
        let answer = await world.call("POST", "/fcm/connect/subscribe", body: form(world))
        #expect(answer.status == 200)
        let token = try #require(answer.json["token"]?.string)
        let secret = try #require(answer.json["pushSet"]?.string)
        let found = try world.world.lookup.registration(token: token, in: world.world.project.number)
        guard case .web(let endpoint, let p256dh, let auth, _) = found.channel else { return #expect(Bool(false)) }
        #expect(endpoint == "https://push.example.net/abc" && (p256dh, auth) == world.keys)
        #expect(token.contains(":APA91b"))
        let again = await world.call("POST", "/fcm/connect/subscribe", body: form(world))
        #expect(again.json["token"]?.string == token && again.json["pushSet"]?.string == secret)
        let end = form(world, ["token": token, "pushSet": secret])
        let ended = await world.call("POST", "/fcm/connect/unsubscribe", body: end)
        #expect(ended.status == 200 && ended.json == [:])
        #expect(try world.live(token) == nil)
        #expect(await world.call("POST", "/fcm/connect/unsubscribe", body: end).status == 404)
    }

    @Test func `keep their token when the browser subscribes anew`() async throws {
        let world = try await BrowserWorld()
        let first = await world.call("POST", "/fcm/connect/subscribe", body: form(world)).json
        let changes: [String: String?] = [
            "token": first["token"]?.string, "push_set": first["pushSet"]?.string,
            "endpoint": "https://other.example.net/2",
        ]
        let answer = await world.call("POST", "/fcm/connect/subscribe", body: form(world, changes))
        #expect(answer.json["token"] == first["token"])
        let now = try world.live(first["token"]?.string ?? "")
        guard case .web(let endpoint, _, _, _)? = now?.channel else { return #expect(Bool(false)) }
        #expect(endpoint == "https://other.example.net/2")
    }

    @Test func `are refused with the reason`() async throws {
        let world = try await BrowserWorld()
        let (_, browserToken) = try await world.register()
        let own = "https://fcm.googleapis.com/fcm/send/"
        let rows: [([String: String?], Int)] = [
            (["authorized_entity": "999999999999"], 400), (["authorized_entity": nil], 400),
            (["authorized_entity": "x"], 400),
            (["endpoint": nil], 400), (["endpoint": "http://plain.example.net/"], 400), (["endpoint": "x"], 400),
            (["encryption_key": nil], 400), (["encryption_key": "AAAA"], 400), (["encryption_auth": "AAAA"], 400),
            (["encryption_auth": nil], 400), (["application_pub_key": "AAAA"], 400),
            (["endpoint": own + "c:APA91bAAAA"], 400), (["endpoint": own + browserToken], 200),
            (["endpoint": own + browserToken, "application_pub_key": world.applicationKey], 200),
            (["endpoint": own + browserToken, "application_pub_key": world.keys.p256dh], 400),
            (["endpoint": "http://127.0.0.1:1/fcm/send/" + browserToken], 200),
            (["endpoint": "http://127.0.0.1:1/fcm/send/c:APA91bAAAA"], 400),
            (["token": "nonsense", "push_set": "nonsense"], 403), (["token": "nonsense"], 403),
        ]
        for (changes, status) in rows {
            let answer = await world.call("POST", "/fcm/connect/subscribe", body: form(world, changes))
            #expect(answer.status == status, "\(changes)")
            #expect(status == 200 || answer.json["error"]?["message"]?.string?.isEmpty == false)
        }
        for body in [
            "", "token=x", "authorized_entity=\(world.world.project.number)&token=x&pushSet=y", "%ff=%ff", "\u{0}",
        ] {
            let answer = await world.call("POST", "/fcm/connect/unsubscribe", body: body)
            #expect([400, 403].contains(answer.status), "\(body)")
        }
    }

    @Test func `survive any form without a trap`() async throws {
        var random = SeededGenerator(seed: 2017)
        let world = try await BrowserWorld()
        let good = Array(form(world, ["token": "t", "push_set": "p"]).utf8)
        for _ in 0..<500 {
            let body = random.mutate(good, alphabet: Array("&=%+".utf8))
            let answer = await world.call("POST", "/fcm/connect/subscribe", body: body)
            #expect([200, 400, 403, 404].contains(answer.status))
        }
    }
}

@Suite struct `Imported push subscriptions` {
    private static let key = ("authorization", "key=\(AppServerWorld.serverKey)")

    private func json(_ world: BrowserWorld, endpoint: String = "https://push.example.net/abc") -> String {
        #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(world.keys.p256dh)","auth":"\#(world.keys.auth)"}}"#
    }

    @Test func `get a token, are renewed and deleted by it`() async throws {
        let world = try await BrowserWorld()
        let cryptoKey = ("crypto-key", "p256ecdsa=\(world.applicationKey)")
        let answer = await world.call("POST", "/v1/web/iid", fields: [Self.key, cryptoKey], body: json(world))
        #expect(answer.status == 200)
        let token = try #require(answer.json["token"]?.string)
        guard case .web(_, _, _, let applicationKey)? = try world.live(token)?.channel else {
            return #expect(Bool(false))
        }
        #expect(applicationKey == world.applicationKey)
        let other = json(world, endpoint: "https://push.example.net/new")
        let refreshed = await world.call("POST", "/v1/web/iid/\(token):refresh", fields: [Self.key], body: other)
        #expect(refreshed.status == 200 && refreshed.json == [:])
        guard case .web(let endpoint, _, _, _)? = try world.live(token)?.channel else { return #expect(Bool(false)) }
        #expect(endpoint == "https://push.example.net/new")
        for body in ["", "{}"] {
            let asked = await world.call("POST", "/v1/web/iid/\(token):refresh", fields: [Self.key], body: body)
            #expect(asked.status == 200)
        }
        #expect(await world.call("DELETE", "/v1/web/iid/\(token)", fields: [Self.key]).status == 200)
        #expect(await world.call("DELETE", "/v1/web/iid/\(token)", fields: [Self.key]).status == 404)
        #expect(await world.call("POST", "/v1/web/iid/\(token):refresh", fields: [Self.key], body: "").status == 404)
    }

    @Test func `are refused with the reason`() async throws {
        let world = try await BrowserWorld()
        let good = json(world)
        let rows: [([(String, String)], String, Int)] = [
            ([], good, 401), ([("authorization", "key=nonsense")], good, 401),
            ([("authorization", "Bearer kitchen"), ("access_token_auth", "true")], good, 200),
            ([Self.key], "", 400), ([Self.key], "[]", 400), ([Self.key], "{", 400), ([Self.key], "{}", 400),
            ([Self.key], #"{"endpoint":7,"keys":[]}"#, 400),
            ([Self.key], good.replacing("https", with: "http"), 400),
            ([Self.key], good.replacing(world.keys.auth, with: "AAAA"), 400),
            ([Self.key], good.replacing(world.keys.p256dh, with: "AAAA"), 400),
            ([Self.key, ("crypto-key", "p256ecdsa=AAAA")], good, 400),
            ([Self.key, ("crypto-key", "nonsense")], good, 400),
        ]
        for (fields, body, status) in rows {
            #expect(await world.call("POST", "/v1/web/iid", fields: fields, body: body).status == status, "\(body)")
        }
    }

    @Test func `belong to the project that brought them`() async throws {
        let world = try await BrowserWorld()
        let answer = await world.call("POST", "/v1/web/iid", fields: [Self.key], body: json(world))
        let token = try #require(answer.json["token"]?.string)
        let other = ("authorization", "key=\(AppServerWorld.otherServerKey)")
        #expect(await world.call("DELETE", "/v1/web/iid/\(token)", fields: [other]).status == 404)
        #expect(await world.call("POST", "/v1/web/iid/\(token):refresh", fields: [other], body: "").status == 404)
        #expect(try world.live(token) != nil)
        let (_, apple) = try await world.world.register(1)
        #expect(await world.call("DELETE", "/v1/web/iid/\(apple)", fields: [Self.key]).status == 404)
    }
}
