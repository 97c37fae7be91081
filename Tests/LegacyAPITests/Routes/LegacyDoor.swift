import AppServerTesting
import GoogleAPI
import HTTPSemantics
import JSON
import LegacyAPI
import PushCore
import PushModel

/// The legacy routes over a world.
struct LegacyDoor {
    let world: AppServerWorld
    let router: Router

    init() async throws {
        world = try await AppServerWorld()
        var router = Router()
        LegacySendRoutes(
            pipeline: world.pipeline, senders: world.senders, registrations: world.store, groups: world.store,
            clock: world.clock, sealing: world.sealing
        ).add(to: &router)
        DeviceGroupRoutes(
            groups: DeviceGroups(
                store: world.store, registrations: world.lookup, keys: DeviceGroupKeyCodec(sealing: world.sealing),
                clock: world.clock),
            senders: world.senders
        ).add(to: &router)
        self.router = router
    }

    static let key = ("authorization", "key=" + AppServerWorld.serverKey)
    static let json = ("content-type", "application/json")

    func send(_ body: String, fields: [(String, String)] = [key, json]) async -> HTTPResponse {
        await router.call("POST", "/fcm/send", fields: fields, body: body)
    }

    func sendForm(_ body: String) async -> HTTPResponse {
        await send(body, fields: [Self.key, ("content-type", "application/x-www-form-urlencoded;charset=UTF-8")])
    }

    /// One call of the device group API.
    func group(_ body: JSONValue) async -> HTTPResponse {
        await group("POST", "", body.text)
    }

    /// The look-up of a group's key.
    func findGroup(_ name: String) async -> HTTPResponse {
        await group("GET", "?notification_key_name=" + name, "")
    }

    private func group(_ method: String, _ query: String, _ body: String) async -> HTTPResponse {
        await router.call(
            method, "/fcm/notification" + query,
            fields: [Self.key, Self.json, ("project_id", world.project.number.description)], body: body)
    }

    func makeGroup(_ name: String, _ tokens: [String]) async -> String {
        let answer = await group([
            "operation": "create", "notification_key_name": .string(name),
            "registration_ids": .array(tokens.map { .string($0) }),
        ])
        return answer.json["notification_key"]?.string ?? ""
    }
}

extension HTTPResponse {
    var json: JSONObject { (try? JSONValue(parsing: body))?.object ?? [:] }
    var isPlainText: Bool { fields["content-type"]?.hasPrefix("text/plain") == true }

    /// The results of a multicast in short: `ok`, `ok>token`, or the error.
    var results: [String] {
        (json["results"]?.array ?? []).map { result in
            if let error = result["error"]?.string { return error }
            guard result["message_id"]?.string?.isEmpty == false else { return "?" }
            return result["registration_id"]?.string.map { "ok>" + $0 } ?? "ok"
        }
    }

    var counts: [Int64?] {
        [json["success"]?.int64, json["failure"]?.int64, json["canonical_ids"]?.int64]
    }
}
