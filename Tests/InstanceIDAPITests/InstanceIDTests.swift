import AppServerTesting
import HTTPSemantics
import InstanceIDAPI
import JSON
import PropertyTesting
import PushCore
import PushModel
import Testing

@Suite struct `Instance ID API` {
    // MARK: Information

    @Test func `tells what it knows of an app instance`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        _ = await door.call("POST", "/iid/v1/\(token)/rel/topics/weather")
        let brief = await door.call("GET", "/iid/info/\(token)")
        #expect(
            brief.json == [
                "application": .string(AppServerWorld.bundleID), "applicationVersion": "1.2",
                "authorizedEntity": .string(door.world.project.number.description), "platform": "IOS", "scope": "*",
            ])
        let detailed = await door.call("GET", "/iid/info/\(token)?details=true")
        #expect(detailed.json["rel"] == ["topics": ["weather": ["addDate": "2023-11-14"]]])
    }

    @Test func `knows nothing of tokens that are none`() async throws {
        let door = try await InstanceDoor()
        let dead = try await door.world.deadToken(1)
        for token in ["bogus", dead] {
            let answer = await door.call("GET", "/iid/info/\(token)")
            #expect(answer.status == 404 && answer.json["error"]?.string?.hasPrefix("No information found") == true)
        }
        let other = try await door.world.register(2, in: door.world.otherProject).token
        #expect(await door.call("GET", "/iid/info/\(other)").status == 403)
    }

    // MARK: One token

    @Test func `subscribes and unsubscribes, as often as asked`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        for _ in 0..<2 {
            #expect(await door.call("POST", "/iid/v1/\(token)/rel/topics/a%2541").text == "{}")
        }
        #expect(try door.topics(of: token) == ["a%41"])
        for _ in 0..<2 { #expect(await door.call("DELETE", "/iid/v1/\(token)/rel/topics/a%2541").text == "{}") }
        #expect(try door.topics(of: token).isEmpty)
    }

    @Test func `refuses topics and tokens that are none`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        let dead = try await door.world.deadToken(2)
        let other = try await door.world.register(3, in: door.world.otherProject).token
        let rows = [
            ("/iid/v1/\(token)/rel/topics/a%20b", 400, "INVALID_ARGUMENT"),
            ("/iid/v1/\(token)/rel/topics/a%2Fb", 400, "INVALID_ARGUMENT"),
            ("/iid/v1/bogus/rel/topics/a", 400, "INVALID_ARGUMENT"),
            ("/iid/v1/\(dead)/rel/topics/a", 404, "NOT_FOUND"),
            ("/iid/v1/\(other)/rel/topics/a", 403, "PERMISSION_DENIED"),
        ]
        for (path, status, code) in rows {
            let answer = await door.call("POST", path)
            #expect(answer.status == status && answer.json == ["error": .string(code)], "\(path)")
        }
    }

    // MARK: Many tokens

    private func batch(_ tokens: [String], to topic: String = "/topics/weather") -> String {
        JSONValue.object(["to": .string(topic), "registration_tokens": .array(tokens.map { .string($0) })]).text
    }

    @Test func `answers a batch token by token, in order`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        let dead = try await door.world.deadToken(2)
        let other = try await door.world.register(3, in: door.world.otherProject).token
        let added = await door.call("POST", "/iid/v1:batchAdd", batch([token, "bogus", dead, other, token]))
        #expect(added.status == 200)
        #expect(added.results == ["", "INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", ""])
        #expect(try door.topics(of: token) == ["weather"])
        #expect(
            await door.call("POST", "/iid/v1:batchRemove", batch(["bogus", token])).results == ["INVALID_ARGUMENT", ""])
        #expect(try door.topics(of: token).isEmpty)
    }

    @Test func `takes a thousand tokens and no more`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        let list = [token] + (1..<1000).map { "bogus-\($0)" }
        #expect(await door.call("POST", "/iid/v1:batchAdd", batch(list)).results.count == 1000)
        let refused = await door.call("POST", "/iid/v1:batchAdd", batch(list + [token], to: "/topics/other"))
        #expect(refused.status == 400 && refused.json["error"]?.string != nil)
        #expect(try door.topics(of: token) == ["weather"])
    }

    @Test func `says who follows too many topics`() async throws {
        let door = try await InstanceDoor()
        let (registration, token) = try await door.world.register(1)
        let subscriptions = door.subscriptions
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<TopicLimits.topicsPerRegistration {
                group.addTask {
                    _ = try await subscriptions.subscribe(registration, to: TopicName("t\(number)")!, by: .appServer)
                }
            }
            try await group.waitForAll()
        }
        #expect(await door.call("POST", "/iid/v1:batchAdd", batch([token])).results == ["TOO_MANY_TOPICS"])
        let single = await door.call("POST", "/iid/v1/\(token)/rel/topics/weather")
        #expect(single.status == 400 && single.json["error"] == "TOO_MANY_TOPICS")
        let first = await door.callV1(
            "POST", "/v1/projects/demo-kitchen/registrations/\(token)/topicSubscriptions?topicName=weather", "{}")
        #expect(first.status == 400 && first.text.contains("TOO_MANY_TOPICS"))
    }

    static let malformed = [
        "", "{", "[]", #"{"registration_tokens":["a"]}"#, #"{"to":"weather","registration_tokens":["a"]}"#,
        #"{"to":"/topics/","registration_tokens":["a"]}"#, #"{"to":"/topics/a b","registration_tokens":["a"]}"#,
        #"{"to":"/topics/a","registration_tokens":[]}"#, #"{"to":"/topics/a","registration_tokens":"a"}"#,
        #"{"to":"/topics/a","registration_tokens":["a",5]}"#, #"{"to":5,"registration_tokens":["a"]}"#,
    ]

    @Test(arguments: malformed) func `refuses a batch that is none`(body: String) async throws {
        let door = try await InstanceDoor()
        for path in ["/iid/v1:batchAdd", "/iid/v1:batchRemove"] {
            let answer = await door.call("POST", path, body)
            #expect(answer.status == 400 && answer.json["error"]?.string != nil)
        }
    }

    @Test func `never traps, whatever the body`() async throws {
        let door = try await InstanceDoor()
        var random = SeededGenerator(seed: 41)
        let whole = [
            batch(["a", "b"]), #"{"application":"com.example.app","sandbox":true,"apns_tokens":["00ff"]}"#,
        ].map { Array($0.utf8) }
        for round in 0..<600 {
            let body = String(
                decoding: random.mutate(whole[round % 2], alphabet: Array(#"{}[]:,""#.utf8)), as: UTF8.self)
            for path in ["/iid/v1:batchAdd", "/iid/v1:batchImport"] {
                #expect([200, 400].contains(await door.call("POST", path, body).status))
            }
        }
    }

    // MARK: Import

    @Test func `imports APNs tokens as registrations that receive`() async throws {
        let door = try await InstanceDoor()
        let hex = "00ff1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeef"
        let description = "{length = 32, bytes = 0x8a58d88c c4c3d4da 25040000 6df790be ... 657ce0bd }"
        let body = JSONValue.object([
            "application": .string(AppServerWorld.bundleID), "sandbox": true,
            "apns_tokens": [.string(hex), "xyz", .string(description), "00ff"],
        ]).text
        let first = await door.call("POST", "/iid/v1:batchImport", body)
        let entries = try #require(first.json["results"]?.array)
        #expect(entries.map { $0["status"]?.string } == ["OK"] + Array(repeating: "INVALID_ARGUMENT", count: 3))
        #expect(entries.map { $0["apns_token"]?.string } == [hex, "xyz", description, "00ff"])
        #expect(entries.dropFirst().allSatisfy { $0["registration_token"] == nil })
        let token = try #require(entries.first?["registration_token"]?.string)
        let registration = try door.world.lookup.registration(token: token, in: door.world.project.number)
        #expect(
            registration.channel == .apple(APNsAddress(token: APNsDeviceToken(hex: hex)!, environment: .sandbox)))
        let again = await door.call("POST", "/iid/v1:batchImport", body)
        #expect(again.json["results"]?[0]?["registration_token"]?.string == token)
    }

    @Test func `leaves an app instance alone that registered by itself`() async throws {
        let door = try await InstanceDoor()
        let hex = String(repeating: "ab", count: 32)
        let own = try await door.world.register(1, apnsToken: hex).token
        let body = #"{"application":"\#(AppServerWorld.bundleID)","apns_tokens":["\#(hex)"]}"#
        let answer = await door.call("POST", "/iid/v1:batchImport", body)
        #expect(answer.json["results"]?[0]?["registration_token"]?.string == own)
        #expect(try door.world.lookup.registration(token: own, in: door.world.project.number).ending == nil)
    }

    static let badImports = [
        "", #"{"application":"com.example.other","apns_tokens":["00"]}"#,
        #"{"application":"com.example.app","apns_tokens":[]}"#, #"{"apns_tokens":["00"]}"#,
        #"{"application":"com.example.app","sandbox":"yes","apns_tokens":["00"]}"#,
        #"{"application":"com.example.app","apns_tokens":[\#(Array(repeating: #""00""#, count: 101).joined(separator: ","))]}"#,
    ]

    @Test(arguments: badImports) func `refuses an import that is none`(body: String) async throws {
        let answer = await (try await InstanceDoor()).call("POST", "/iid/v1:batchImport", body)
        #expect(answer.status == 400 && answer.json["error"]?.string != nil)
    }

    // MARK: Callers

    @Test func `wants a proof, and access tokens announced`() async throws {
        let door = try await InstanceDoor()
        let rows: [([(String, String)], Int)] = [
            ([], 401), ([("authorization", "key=x")], 401), ([InstanceDoor.bearer], 401),
            ([InstanceDoor.bearer, ("access_token_auth", "true")], 404),
        ]
        for (fields, status) in rows {
            let answer = await door.router.call("GET", "/iid/info/bogus", fields: fields)
            #expect(answer.status == status)
            if status == 401 { #expect(answer.text.contains("<H1>Unauthorized</H1>")) }
        }
    }

    // MARK: Deletion

    @Test func `forgets an app instance`() async throws {
        let door = try await InstanceDoor()
        let (registration, token) = try await door.world.register(1)
        let path = "/v1/project/demo-kitchen/instanceId/\(registration.fid)"
        #expect(await door.router.call("DELETE", path).status == 401)
        #expect(await door.router.call("DELETE", path, fields: [("authorization", "Bearer garden")]).status == 403)
        #expect(await door.callV1("DELETE", path).text == "{}")
        #expect(await door.call("GET", "/iid/info/\(token)").status == 404)
        #expect(await door.callV1("DELETE", path).error["status"] == "NOT_FOUND")
        let malformed = await door.callV1("DELETE", "/v1/project/demo-kitchen/instanceId/nonsense")
        #expect(malformed.error["status"] == "INVALID_ARGUMENT")
    }
}
