import AppServerTesting
import HTTPSemantics
import JSON
import PushModel
import SQLiteStore
import Testing
import Timekeeping

@Suite struct `Device groups` {
    private func change(_ operation: String, _ name: String?, _ key: String?, _ tokens: [String]) -> JSONValue {
        var body: JSONObject = [
            "operation": .string(operation), "registration_ids": .array(tokens.map { .string($0) }),
        ]
        if let name { body["notification_key_name"] = .string(name) }
        if let key { body["notification_key"] = .string(key) }
        return .object(body)
    }

    @Test func `are made, found, enlarged and emptied`() async throws {
        let door = try await LegacyDoor()
        let (one, two) = (try await door.world.register(1).token, try await door.world.register(2).token)
        let key = await door.makeGroup("user-1", [one])
        #expect(key.hasPrefix("APA91b"))
        #expect(await door.findGroup("user-1").json["notification_key"]?.string == key)
        #expect(await door.group(change("add", "user-1", key, [two])).json["notification_key"]?.string == key)
        #expect(await door.group(change("remove", "user-1", key, [one])).status == 200)
        #expect(await door.group(change("remove", "user-1", key, [two])).status == 200)
        let gone = await door.group(change("add", "user-1", key, [one]))
        #expect(gone.status == 400 && gone.json["error"] == "notification_key not found")
        #expect(await door.findGroup("user-1").status == 400)
        #expect(await door.makeGroup("user-1", [one]) != key)
    }

    @Test func `refuse what does not fit, in JSON`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let key = await door.makeGroup("user-1", [token])
        let many = try await (10..<31).asyncMap { try await door.world.register($0).token }
        let rows: [(String, JSONValue, String)] = [
            ("a name that is taken", change("create", "user-1", nil, [token]), "notification_key already exists"),
            ("a key that is none", change("add", "user-1", "123blah", [token]), "notification_key not found"),
            ("no key", change("add", "user-1", nil, [token]), "notification_key not found"),
            ("a name of another group", change("add", "user-2", key, [token]), "doesn't match the group name"),
            ("only bad tokens", change("create", "user-3", nil, ["bogus"]), "no valid registration ids"),
            ("no tokens", change("create", "user-3", nil, []), "no valid registration ids"),
            ("21 members", change("create", "user-3", nil, many), "at most 20"),
            ("20 more", change("add", "user-1", key, Array(many.dropFirst())), "at most 20"),
            ("no name", change("create", nil, nil, [token]), "notification_key_name"),
            ("an operation that is none", change("delete", "user-1", key, [token]), "operation"),
            ("a list in a list", ["operation": "create", "registration_ids": [["t"]]], "registration_ids"),
            ("a text for a list", ["operation": "create", "registration_ids": "t"], "registration_ids"),
            ("a number for a name", ["operation": "create", "notification_key_name": 5], "notification_key_name"),
            ("a list for everything", [1], "object"),
        ]
        for (name, body, text) in rows {
            let answer = await door.group(body)
            #expect(answer.status == 400, "\(name)")
            #expect(answer.json["error"]?.string?.contains(text) == true, "\(name): \(answer.text)")
        }
    }

    @Test func `belong to the project of the header and of the key`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let body = change("create", "user-1", nil, [token]).text
        let (own, other) = (door.world.project.number.description, door.world.otherProject.number.description)
        let headers: [([(String, String)], Int)] = [
            ([LegacyDoor.key], 401), ([LegacyDoor.key, ("project_id", other)], 401),
            ([LegacyDoor.key, ("project_id", "demo-kitchen")], 401), ([("project_id", own)], 401),
            ([("authorization", "Bearer kitchen"), ("project_id", own)], 401),
            ([("authorization", "Bearer kitchen"), ("access_token_auth", "true"), ("project_id", own)], 200),
        ]
        for (fields, status) in headers {
            let answer = await door.router.call("POST", "/gcm/notification", fields: fields, body: body)
            #expect(answer.status == status)
        }
        let foreign = await door.router.call(
            "POST", "/fcm/notification",
            fields: [("authorization", "key=" + AppServerWorld.otherServerKey), ("project_id", other)],
            body: change("create", "user-1", nil, [token]).text)
        #expect(foreign.json["error"] == "no valid registration ids")
    }

    @Test func `can be kept by name alone on the path that apps used`() async throws {
        let door = try await LegacyDoor()
        let (one, two) = (try await door.world.register(1).token, try await door.world.register(2).token)
        let fields = [LegacyDoor.key, ("project_id", door.world.project.number.description)]
        var keys: [String?] = []
        for token in [one, two] {
            let answer = await door.router.call(
                "POST", "/gcm/googlenotification", fields: fields,
                body: change("add", "me@example.com", nil, [token]).text)
            keys.append(answer.json["notification_key"]?.string)
        }
        #expect(keys[0] != nil && keys[0] == keys[1])
    }

    // MARK: Sending

    @Test func `get a message each, and the answer counts them`() async throws {
        let door = try await LegacyDoor()
        let members = try await (1...3).asyncMap { try await door.world.register($0) }
        let key = await door.makeGroup("user-1", members.map(\.token))
        let answer = await door.send(#"{"to":"\#(key)","notification":{"title":"g"}}"#)
        #expect(answer.json == ["success": 3, "failure": 0])
        #expect(door.world.platform.submitted.count == 3)
        #expect(Set(door.world.platform.submitted.map(\.message.id)).count == 1)
    }

    @Test func `name the members who failed`() async throws {
        let door = try await LegacyDoor()
        let members = try await (1...3).asyncMap { try await door.world.register($0) }
        let key = await door.makeGroup("user-1", members.map(\.token))
        try await door.world.store.end(members[1].registration.id, .deletedByApp, at: door.world.clock.now())
        let answer = await door.send(#"{"to":"\#(key)"}"#)
        #expect(
            answer.json == ["success": 2, "failure": 1, "failed_registration_ids": [.string(members[1].token)]])
    }

    @Test func `that are gone or another project's answer like a token`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let key = await door.makeGroup("user-1", [token])
        let foreign = await door.send(
            #"{"to":"\#(key)"}"#,
            fields: [("authorization", "key=" + AppServerWorld.otherServerKey), LegacyDoor.json])
        #expect(foreign.results == ["MismatchSenderId"])
        _ = await door.group(change("remove", "user-1", key, [token]))
        #expect(await door.send(#"{"to":"\#(key)"}"#).results == ["NotRegistered"])
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
