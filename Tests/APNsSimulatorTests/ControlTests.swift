import Crypto
import EventLoop
import HTTPSemantics
import JSON
import Testing

@testable import APNsSimulator

@Suite struct `The control API` {
    private func call(
        _ fixture: Fixture, _ method: String, _ target: String, _ body: JSONValue? = nil
    ) async -> (status: Int, body: JSONValue) {
        let head = HTTPRequestHead(method: method, target: "/control" + target)
        let request = HTTPRequest(head: head, body: body?.encoded ?? [])
        let response = await APNsControlAPI(fixture.simulator, prefix: "/control").respond(to: request)
        return (response.status, (try? JSONValue(parsing: response.body)) ?? nil)
    }

    @Test func `gives devices and apps to another process, and their pushes`() async throws {
        let fixture = try Fixture()
        let made = await call(
            fixture, "POST", "/devices",
            ["device": "tablet", "online": false, "apps": [["bundle_id": "com.example.app", "push_type": "alert"]]])
        let token = try #require(made.body["apps"]?[0]?["tokens"]?["com.example.app"]?.string)
        let voip = await call(
            fixture, "POST", "/devices/tablet/apps", ["bundle_id": "com.example.app", "push_type": "voip"])
        #expect(voip.body["token"]?.string?.utf8.count == 64)
        let sender = try fixture.sender()
        let fields = fixture.fields(token: token, ["apns-topic": "com.example.app", "apns-collapse-id": "c"])
        #expect(await sender.send(fields, body: Fixture.payload).status == 200)
        #expect(await call(fixture, "GET", "/devices/tablet/pushes").body["pushes"]?.array?.isEmpty == true)
        #expect(await call(fixture, "POST", "/devices/tablet", ["online": true]).status == 200)
        let pushes = await call(fixture, "GET", "/devices/tablet/pushes?after=0&wait_ms=60000").body["pushes"]
        #expect(pushes?[0]?["collapse_id"]?.string == "c")
        #expect(pushes?[0]?["payload"]?.string == String(decoding: Fixture.payload, as: UTF8.self))
        #expect(await call(fixture, "GET", "/devices/tablet/pushes?after=1").body["pushes"]?.array?.isEmpty == true)
        #expect(await call(fixture, "DELETE", "/devices/tablet/apps/com.example.app").status == 200)
        #expect(await sender.send(fields, body: Fixture.payload).status == 410)
        #expect(await call(fixture, "DELETE", "/devices/tablet").status == 200)
        #expect(await sender.send(fields, body: Fixture.payload).status == 400)
        sender.close()
    }

    @Test func `waits for the next push of a device`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        async let waiting = call(fixture, "GET", "/devices/phone/pushes?wait_ms=60000")
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(await waiting.body["pushes"]?.array?.count == 1)
        sender.close()
    }

    @Test func `shows requests, pushes, connections and counts`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        _ = await sender.send(fixture.fields(authorization: "bearer x"), body: Fixture.payload)
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        _ = await sender.send(fixture.fields(token: "zz"), body: Fixture.payload)
        let requests = await call(fixture, "GET", "/requests").body["requests"]
        #expect(requests?.array?.compactMap { $0["status"]?.int64 } == [403, 200, 400])
        #expect(requests?.array?.compactMap { $0["outcome"]?.string } == ["rejected", "delivered", "rejected"])
        let authorization = requests?[0]?["headers"]?.array?.first { $0["name"]?.string == "authorization" }
        #expect(authorization?["never_indexed"]?.bool == true)
        let pushes = await call(fixture, "GET", "/pushes").body["pushes"]
        #expect(pushes?.array?.compactMap { $0["path"]?.string } == ["/3/device/" + fixture.token, "/3/device/zz"])
        #expect(pushes?[0]?["headers"]?["apns-topic"]?.string == Fixture.bundleID)
        _ = await fixture.simulator.waitForRequests { $0.count == 3 }
        let connections = await call(fixture, "GET", "/connections").body["connections"]
        #expect(connections?[0]?["alpn"]?.string == "h2")
        #expect(await call(fixture, "GET", "/").body["counts"]?["Accepted"]?.int64 == 1)
        sender.close()
    }

    @Test func `takes faults in every form, lists and removes them`() async throws {
        let fixture = try Fixture()
        let forms: [JSONValue] = [
            ["fault": "delay", "ms": 1], ["faults": [["fault": "omit_id"], ["fault": "pass"]]],
            ["status": 503, "count": 1], ["answers": [["status": 429]], "when": ["token": "aa"]],
            [["status": 410], ["status": 200]],
        ]
        for form in forms { #expect(await call(fixture, "POST", "/faults", form).status == 200) }
        #expect(await call(fixture, "GET", "/faults").body["faults"]?.array?.count == 7)
        #expect(await call(fixture, "DELETE", "/faults/1").status == 200)
        #expect(await call(fixture, "DELETE", "/faults/1").status == 404)
        #expect(await call(fixture, "DELETE", "/faults").status == 200)
        #expect(await call(fixture, "GET", "/faults").body["faults"]?.array?.isEmpty == true)
    }

    @Test func `takes keys, certificates and rules`() async throws {
        let fixture = try Fixture()
        let key: JSONValue = [
            "key_id": "NEWKEY1234", "team_id": "TEAM000001", "public_key": .string(fixture.key.publicKey.pem),
            "topics": ["com.example.app"], "environments": ["sandbox"],
        ]
        #expect(await call(fixture, "POST", "/keys", key).status == 200)
        #expect(await call(fixture, "GET", "/keys").body["keys"]?.array?.count == 2)
        #expect(await call(fixture, "DELETE", "/keys/NEWKEY1234").status == 200)
        let certificate: JSONValue = ["fingerprint": "AB", "topics": ["com.example.app"], "revoked": true]
        #expect(await call(fixture, "POST", "/certificates", certificate).status == 200)
        let rules: JSONValue = [
            "trusts_unknown_keys": true, "allowance": ["burst": 1, "per_second": 0], "background_pushes_per_hour": -1,
            "slot_policy": "random", "seed": 5,
        ]
        #expect(await call(fixture, "POST", "/rules", rules).status == 200)
        let sender = try fixture.sender()
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 429)
        #expect(await call(fixture, "POST", "/reset", ["devices": true]).status == 200)
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 400)
        sender.close()
    }

    @Test(arguments: [
        ("POST", "/devices", #"{"device":7}"#), ("POST", "/devices", #"[]"#), ("POST", "/devices", "{"),
        ("POST", "/devices/phone", #"{"onlin":true}"#), ("POST", "/devices/phone/apps", "{}"),
        ("POST", "/devices/phone/apps", #"{"bundle_id":"a","token":"xyz"}"#),
        ("POST", "/devices/phone/apps", #"{"bundle_id":"a","push_type":"shout"}"#),
        ("GET", "/devices/phone/pushes?wait_ms=soon", ""), ("GET", "/devices/phone/pushes?wait_ms=99999999", ""),
        ("POST", "/faults", "{}"), ("POST", "/faults", #"{"faults":7}"#), ("POST", "/keys", #"{"key_id":"a"}"#),
        ("POST", "/keys", #"{"key_id":"a","team_id":"b","public_key":"c"}"#),
        ("POST", "/keys", #"{"key_id":"a","team_id":"b","environments":[]}"#),
        ("POST", "/rules", #"{"slot_policy":"none"}"#), ("POST", "/rules", #"{"token_bytes":0}"#),
        ("POST", "/certificates", "{}"), ("POST", "/reset", #"{"devices":1}"#), ("GET", "/devices/%zz", ""),
    ])
    func `says what is wrong with a call`(method: String, target: String, body: String) async throws {
        let fixture = try Fixture()
        let head = HTTPRequestHead(method: method, target: target)
        let request = HTTPRequest(head: head, body: Array(body.utf8))
        let response = await APNsControlAPI(fixture.simulator).respond(to: request)
        #expect(response.status == 400)
        #expect(try JSONValue(parsing: response.body)["error"]?.string?.isEmpty == false)
    }

    @Test(arguments: [
        ("GET", "/nothing"), ("PUT", "/devices"), ("GET", "/devices/nobody"), ("POST", "/tokens/aabb:end"),
        ("DELETE", "/keys/nobody"), ("POST", "/connections/first:strike"), ("GET", "/devices/phone/shoes"),
    ])
    func `knows no such call or thing`(method: String, target: String) async throws {
        let fixture = try Fixture()
        #expect(await call(fixture, method, target).status == 404)
    }
}
