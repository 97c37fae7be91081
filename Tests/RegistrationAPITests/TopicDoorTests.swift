import HTTPSemantics
import JSON
import PushCore
import PushModel
import SQLiteStore
import Testing
import Timekeeping

@Suite struct `Topics of app instances that ask for themselves` {
    /// An Apple app instance in token mode.
    private struct Phone {
        var id: UInt64
        var secret: UInt64
        var token: String
    }

    private func phone(_ world: DeviceWorld, apns: String = "AB") async throws -> Phone {
        let (id, secret) = await world.checkIn()
        let installation = try await world.install()
        let answer = await world.call(
            "POST", "/register",
            fields: [
                ("authorization", "AidLogin \(id):\(secret)"),
                ("x-goog-firebase-installations-auth", installation.authToken),
            ],
            body: "device=\(id)&X-scope=*&plat=2&app=\(DeviceWorld.bundleID)&sender=\(world.project.number)"
                + "&X-subtype=\(world.project.number)&appid=\(installation.fid)"
                + "&apns_token=s_\(String(repeating: apns, count: 32))&gmp_app_id=\(world.app.id)")
        return Phone(id: id, secret: secret, token: String(answer.text.dropFirst("token=".count)))
    }

    private func ask(
        _ world: DeviceWorld, _ phone: Phone, path: String = "/iid/register", token: String? = nil, _ rest: String
    ) async -> HTTPResponse {
        await world.call(
            "POST", path, fields: [("authorization", "AidLogin \(phone.id):\(phone.secret)")],
            body: "sender=\(token ?? phone.token)&app=\(DeviceWorld.bundleID)&device=\(phone.id)&app_ver=1.0&\(rest)")
    }

    private func topics(_ world: DeviceWorld, _ token: String) throws -> [String] {
        let registration = try RegistrationLookup(
            registrations: world.store, tokens: RegistrationTokenCodec(sealing: world.sealing)
        ).registration(token: token, in: world.project.number)
        return try world.store.subscriptions(of: registration.id, after: nil, limit: 10).map(\.topic.text)
    }

    // MARK: Token mode

    @Test(arguments: ["/iid/register", "/c2dm/register3"]) func `join and leave by token, as often as they like`(
        path: String
    ) async throws {
        let world = try await DeviceWorld()
        let phone = try await phone(world)
        let topic = "X-gcm.topic=/topics/sport%257Cbaseball&X-scope=/topics/sport%257Cbaseball"
        for _ in 0..<2 {
            let answer = await ask(world, phone, path: path, topic)
            #expect(answer.status == 200 && answer.text.hasPrefix("token="))
        }
        #expect(try topics(world, phone.token) == ["sport%7Cbaseball"])
        for _ in 0..<2 {
            #expect(await ask(world, phone, path: path, topic + "&delete=true").text.hasPrefix("token="))
        }
        #expect(try topics(world, phone.token).isEmpty)
    }

    @Test func `join by the scope alone`() async throws {
        let world = try await DeviceWorld()
        let phone = try await phone(world)
        #expect(await ask(world, phone, path: "/c2dm/register3", "X-scope=/topics/news").text.hasPrefix("token="))
        #expect(try topics(world, phone.token) == ["news"])
    }

    @Test func `are refused for what is not theirs`() async throws {
        let world = try await DeviceWorld()
        let (phone, other) = (try await phone(world), try await phone(world, apns: "CD"))
        let rows: [(String, HTTPResponse)] = [
            ("a blank in the name", await ask(world, phone, "X-gcm.topic=/topics/a%20b")),
            ("no name", await ask(world, phone, "X-gcm.topic=/topics/")),
            ("another path", await ask(world, phone, "X-gcm.topic=/groups/a")),
            ("the token of another device", await ask(world, phone, token: other.token, "X-gcm.topic=/topics/a")),
            ("a token that is none", await ask(world, phone, token: "bogus", "X-gcm.topic=/topics/a")),
        ]
        for (name, answer) in rows {
            #expect(answer.status == 200 && answer.text == "Error=INVALID_PARAMETERS", "\(name): \(answer.text)")
        }
        var thief = phone
        thief.secret += 1
        #expect(await ask(world, thief, "X-gcm.topic=/topics/a").text == "Error=AUTHENTICATION_FAILED")
        #expect(try topics(world, phone.token).isEmpty && topics(world, other.token).isEmpty)
    }

    @Test func `keep to the rules of the project`() async throws {
        let world = try await DeviceWorld()
        let phone = try await phone(world)
        let rules = TopicRules(denied: [try #require(TopicPattern("staff-*"))])
        try await world.store.setTopicRules(rules, of: world.project.number)
        #expect(await ask(world, phone, "X-gcm.topic=/topics/staff-1").text == "Error=INVALID_PARAMETERS")
        #expect(await ask(world, phone, "X-gcm.topic=/topics/guests").text.hasPrefix("token="))
    }

    @Test func `are told to come again when the project changes too many`() async throws {
        let world = try await DeviceWorld(topicChangesPerSecond: 2)
        let phone = try await phone(world)
        #expect(await ask(world, phone, "X-gcm.topic=/topics/a").text.hasPrefix("token="))
        #expect(await ask(world, phone, "X-gcm.topic=/topics/a&delete=true").text.hasPrefix("token="))
        for rest in ["X-gcm.topic=/topics/b", "X-gcm.topic=/topics/b&delete=true"] {
            let answer = await ask(world, phone, rest)
            #expect(answer.status == 429 && answer.text == "Error=SERVICE_NOT_AVAILABLE")
            #expect(answer.fields["retry-after"] == "1")
        }
        world.clock.set(world.clock.now().adding(milliseconds: 500))
        #expect(await ask(world, phone, "X-gcm.topic=/topics/b").text.hasPrefix("token="))
        #expect(try topics(world, phone.token) == ["b"])
    }

    // MARK: FID mode

    private func change(
        _ world: DeviceWorld, _ fid: String, _ topic: String, auth: String, key: (String, String)? = nil
    ) async -> HTTPResponse {
        await world.call(
            "POST", "/v1/projects/demo-device/registrations/\(fid)/topicSubscriptions/\(topic)",
            fields: [key ?? world.key, ("x-goog-firebase-installations-auth", auth)])
    }

    private func registered(
        _ world: DeviceWorld, apns: String = "00FF"
    ) async throws -> (fid: String, auth: String) {
        let installation = try await world.install()
        _ = await world.call(
            "POST", "/v1/projects/demo-device/registrations",
            fields: [world.key, ("x-goog-firebase-installations-auth", installation.authToken)],
            body: #"{"ios":{"apns_token":"\#(apns)","apns_environment":"SANDBOX","app_version":"1.0"}}"#)
        return (installation.fid, installation.authToken)
    }

    @Test func `join and leave by FID, as often as they like`() async throws {
        let world = try await DeviceWorld()
        let (fid, auth) = try await registered(world)
        for _ in 0..<2 {
            let answer = await change(world, fid, "a%2541:subscribe", auth: auth)
            #expect(answer.status == 200 && answer.text == "{}")
        }
        #expect(try topics(world, fid) == ["a%41"])
        #expect(await change(world, fid, "a%2541:unsubscribe", auth: auth).status == 200)
        #expect(try topics(world, fid).isEmpty)
    }

    @Test func `are told to come again in FID mode when the project changes too many`() async throws {
        let world = try await DeviceWorld(topicChangesPerSecond: 1)
        let (fid, auth) = try await registered(world)
        #expect(await change(world, fid, "a:subscribe", auth: auth).status == 200)
        for verb in ["subscribe", "unsubscribe"] {
            let answer = await change(world, fid, "b:\(verb)", auth: auth)
            #expect(answer.status == 429 && answer.error["status"] == "RESOURCE_EXHAUSTED")
        }
        world.clock.set(world.clock.now().adding(milliseconds: 1000))
        #expect(await change(world, fid, "a:unsubscribe", auth: auth).status == 200)
        #expect(try topics(world, fid).isEmpty)
    }

    @Test func `are refused in FID mode for what is not theirs`() async throws {
        let world = try await DeviceWorld()
        let (fid, auth) = try await registered(world)
        let (otherFID, _) = try await registered(world, apns: "01FF")
        let unregistered = try await world.install()
        #expect(await change(world, fid, "a%20b:subscribe", auth: auth).error["status"] == "INVALID_ARGUMENT")
        #expect(await change(world, otherFID, "a:subscribe", auth: auth).error["status"] == "PERMISSION_DENIED")
        #expect(await change(world, fid, "a:subscribe", auth: "x").error["status"] == "UNAUTHENTICATED")
        #expect(await change(world, fid, "a:subscribe", auth: "").error["status"] == "UNAUTHENTICATED")
        let missing = await change(world, unregistered.fid, "a:subscribe", auth: unregistered.authToken)
        #expect(missing.error["status"] == "NOT_FOUND")
        let badKey = await change(world, fid, "a:subscribe", auth: auth, key: ("x-goog-api-key", "AIza"))
        #expect(badKey.status == 400)
        #expect(try topics(world, fid).isEmpty)
    }
}
