import AppServerTesting
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Rate of topic subscriptions` {
    private func path(_ registration: String, _ suffix: String = "") -> String {
        "/v1/projects/demo-kitchen/registrations/\(registration)/topicSubscriptions\(suffix)"
    }

    private func batch(_ tokens: [String]) -> String {
        #"{"to":"/topics/news","registration_tokens":["\#(tokens.joined(separator: #"",""#))"]}"#
    }

    /// A door whose project has changed all that it may in this second.
    private func busyDoor() async throws -> (door: InstanceDoor, token: String) {
        let door = try await InstanceDoor(changesPerSecond: 4)
        let token = try await door.world.register(1).token
        let answer = await door.call("POST", "/iid/v1:batchAdd", batch([token, "a", "b", "c"]))
        #expect(answer.results == ["", "INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT"])
        return (door, token)
    }

    @Test func `is refused as the Instance ID API refuses, the whole call`() async throws {
        let (door, token) = try await busyDoor()
        let answers = [
            await door.call("POST", "/iid/v1/\(token)/rel/topics/sport"),
            await door.call("DELETE", "/iid/v1/\(token)/rel/topics/news"),
            await door.call("POST", "/iid/v1:batchAdd", batch([token])),
            await door.call("POST", "/iid/v1:batchRemove", batch([token])),
        ]
        for answer in answers {
            #expect(answer.status == 429 && answer.json == ["error": "RESOURCE_EXHAUSTED"])
            #expect(answer.fields["retry-after"] == nil)
        }
        #expect(try door.topics(of: token) == ["news"])
    }

    @Test func `is refused as HTTP v1 refuses`() async throws {
        let (door, token) = try await busyDoor()
        let answers = [
            await door.callV1("POST", path(token, "?topicName=sport"), "{}"),
            await door.callV1("PATCH", path(token, "/sport?allowMissing=true"), "{}"),
            await door.callV1("DELETE", path(token, "/news")),
        ]
        for answer in answers {
            #expect(answer.status == 429 && answer.error["status"] == "RESOURCE_EXHAUSTED")
            #expect(
                answer.error["details"] == [
                    ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"]
                ])
            #expect(answer.fields["retry-after"] == nil)
        }
        #expect(try door.topics(of: token) == ["news"])
    }

    @Test func `does not count what only reads`() async throws {
        let (door, token) = try await busyDoor()
        #expect(await door.callV1("GET", path(token)).status == 200)
        #expect(await door.callV1("GET", path(token, "/news")).status == 200)
        #expect(await door.callV1("PATCH", path(token, "/news"), "{}").status == 200)
        #expect(await door.call("GET", "/iid/info/\(token)?details=true").status == 200)
    }

    @Test func `goes on a little later`() async throws {
        let (door, token) = try await busyDoor()
        door.world.clock.set(door.world.clock.now().adding(milliseconds: 250))
        #expect(await door.callV1("DELETE", path(token, "/news")).status == 200)
        #expect(await door.callV1("POST", path(token, "?topicName=news"), "{}").status == 429)
    }
}
