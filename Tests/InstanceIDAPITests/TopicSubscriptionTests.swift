import AppServerTesting
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Testing

@Suite struct `Topic subscriptions of HTTP v1` {
    private func path(_ registration: String, _ suffix: String = "") -> String {
        "/v1/projects/demo-kitchen/registrations/\(registration)/topicSubscriptions\(suffix)"
    }

    @Test func `are made, read, listed and ended`() async throws {
        let door = try await InstanceDoor()
        let (registration, token) = try await door.world.register(1)
        let made = await door.callV1("POST", path(registration.fid, "?topic_name=weather"), "{}")
        #expect(made.status == 200)
        #expect(made.json["topicName"] == "weather" && made.json["topic_name"] == "weather")
        #expect(
            made.json["createTime"] == "2023-11-14T22:13:20Z"
                && made.json["create_time"]?.string?.hasSuffix("Z") == true)
        let name = "projects/demo-kitchen/registrations/\(registration.fid)/topicSubscriptions/weather"
        #expect(made.json["name"]?.string == name)
        let again = await door.callV1("POST", path(token.replacing(":", with: "%3A"), "?topicName=weather"), "{}")
        #expect(again.status == 409 && again.error["status"] == "ALREADY_EXISTS")
        #expect(await door.callV1("GET", path(registration.fid, "/weather")).json["name"]?.string == name)
        #expect(await door.callV1("GET", path(token)).json["topicSubscriptions"]?.array?.count == 1)
        #expect(await door.callV1("DELETE", path(token, "/weather")).text == "{}")
        #expect(await door.callV1("GET", path(token)).text == "{}")
    }

    @Test func `that are missing are not found, unless that is allowed`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        for method in ["GET", "DELETE", "PATCH"] {
            #expect(await door.callV1(method, path(token, "/a")).error["status"] == "NOT_FOUND")
        }
        for query in ["?allowMissing=true", "?allow_missing=true"] {
            #expect(await door.callV1("DELETE", path(token, "/a" + query)).text == "{}")
        }
        #expect(await door.callV1("PATCH", path(token, "/a?allowMissing=true"), "{}").json["topicName"] == "a")
        #expect(await door.callV1("PATCH", path(token, "/a"), "{}").status == 200)
    }

    @Test func `all end at once`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        for name in ["a", "b", "c"] { _ = await door.callV1("POST", path(token, "?topicName=\(name)"), "{}") }
        #expect(await door.callV1("DELETE", path(token)).json["deletedCount"] == 3)
        #expect(await door.callV1("GET", path(token)).text == "{}")
        #expect(await door.callV1("DELETE", path(token)).json["deletedCount"] == 0)
    }

    @Test func `come in pages by name`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        for name in ["d", "a", "c", "b", "e"] {
            _ = await door.callV1("POST", path(token, "?topicName=\(name)"), "{}")
        }
        var pages: [[String?]] = []
        var page = ""
        repeat {
            let answer = await door.callV1("GET", path(token, "?pageSize=2&pageToken=\(page)")).json
            pages.append((answer["topicSubscriptions"]?.array ?? []).map { $0["topicName"]?.string })
            page = answer["nextPageToken"]?.string ?? ""
        } while !page.isEmpty
        #expect(pages == [["a", "b"], ["c", "d"], ["e"]])
        #expect(await door.callV1("GET", path(token, "?pageSize=99999")).json["topicSubscriptions"]?.array?.count == 5)
    }

    @Test func `refuse what does not fit`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        let dead = try await door.world.deadToken(2)
        let other = try await door.world.register(3, in: door.world.otherProject).token
        let rows = [
            ("POST", path(token, "?topic_name=bad%20name%2Fx"), 400, "INVALID_ARGUMENT"),
            ("POST", path(token, "?topic_name=%2Ftopics%2Fx"), 400, "INVALID_ARGUMENT"),
            ("POST", path(token), 400, "INVALID_ARGUMENT"),
            ("DELETE", path(token, "/a%20b"), 400, "INVALID_ARGUMENT"),
            ("POST", path("bogus", "?topicName=a"), 400, "INVALID_ARGUMENT"),
            ("POST", path(dead, "?topicName=a"), 404, "NOT_FOUND"),
            ("POST", path("cccccccccccccccccccccc", "?topicName=a"), 404, "NOT_FOUND"),
            ("POST", path("accccccccccccccccccccc", "?topicName=a"), 400, "INVALID_ARGUMENT"),
            ("POST", path(other, "?topicName=a"), 403, "PERMISSION_DENIED"),
            ("GET", path(token, "?pageSize=-1"), 400, "INVALID_ARGUMENT"),
            ("GET", path(token, "?pageToken=%21"), 400, "INVALID_ARGUMENT"),
        ]
        for (method, target, status, name) in rows {
            let answer = await door.callV1(method, target, "{}")
            #expect(answer.status == status && answer.error["status"]?.string == name, "\(method) \(target)")
        }
    }

    @Test func `are for callers of the project`() async throws {
        let door = try await InstanceDoor()
        let token = try await door.world.register(1).token
        #expect(await door.router.call("GET", path(token)).error["status"] == "UNAUTHENTICATED")
        let foreign = await door.router.call("GET", path(token), fields: [("authorization", "Bearer garden")])
        #expect(foreign.error["status"] == "PERMISSION_DENIED")
        let key = await door.router.call("GET", path(token), fields: [InstanceDoor.key])
        #expect(key.status == 401)
    }
}
