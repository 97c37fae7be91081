import HTTPSemantics
import JSON
import PushModel
import SQLiteStore
import Testing

@Suite struct `Installations door` {
    @Test func `creates an installation under the project's id and its number, with and without a slash`() async throws
    {
        let world = try await DeviceWorld()
        for path in [
            "/v1/projects/demo-device/installations", "/v1/projects/demo-device/installations/",
            "/v1/projects/\(world.project.number)/installations",
        ] {
            let answer = await world.call(
                "POST", path, fields: [world.key, ("content-type", "text/plain")],
                body: #"{"fid":"cSNFZ4mrze8BI0VniavN7w","appId":"\#(world.app.id)","authVersion":"FIS_v2"}"#)
            #expect(answer.status == 200)
            #expect(answer.json["fid"]?.string == "cSNFZ4mrze8BI0VniavN7w")
            #expect(
                answer.json["name"]?.string == "projects/\(world.project.number)/installations/cSNFZ4mrze8BI0VniavN7w")
            #expect(answer.json["authToken"]?.object?["expiresIn"]?.string == "604800s")
            #expect(answer.json["refreshToken"]?.string?.contains("=") == false)
        }
    }

    @Test func `gives auth tokens, shows and deletes for the refresh token alone`() async throws {
        let world = try await DeviceWorld()
        let (fid, refreshToken, _) = try await world.install()
        let path = "/v1/projects/demo-device/installations/\(fid)"
        let proof = [world.key, ("authorization", "FIS_v2 " + refreshToken)]
        let token = await world.call("POST", path + "/authTokens:generate", fields: proof, body: "{}")
        #expect(token.json["expiresIn"]?.string == "604800s")
        #expect(await world.call("GET", path, fields: proof).json["fid"]?.string == fid)
        #expect(await world.call("DELETE", path + "/", fields: proof, body: "{}").status == 200)
        #expect(await world.call("POST", path + "/authTokens:generate", fields: proof).status == 404)
    }

    @Test(arguments: ["FIS_v2 bogus", "FIS_v2", "Bearer x", "fis"])
    func `refuse another refresh token with 401`(authorization: String) async throws {
        let world = try await DeviceWorld()
        let fid = try await world.install().fid
        for (method, suffix) in [("POST", "/authTokens:generate"), ("GET", ""), ("DELETE", "")] {
            let answer = await world.call(
                method, "/v1/projects/demo-device/installations/\(fid)\(suffix)",
                fields: [world.key, ("authorization", authorization)])
            #expect(answer.status == 401)
            #expect(answer.error["status"]?.string == "UNAUTHENTICATED")
        }
    }

    struct Row: Sendable {
        var key: String?
        var body: String
        var status: Int
        var text: String

        init(_ key: String?, _ body: String, _ status: Int, _ text: String) {
            self.key = key
            self.body = body
            self.status = status
            self.text = text
        }
    }

    static let refused = [
        Row(nil, "{}", 403, "PERMISSION_DENIED"),
        Row("AIzaSyWrong0000000000000000000000000000", "{}", 400, "API_KEY_INVALID"),
        Row("", "{", 400, "INVALID_ARGUMENT"),
        Row("", "[]", 400, "INVALID_ARGUMENT"),
        Row("", "{}", 400, "app_id"),
        Row("", #"{"appId":7}"#, 400, "app_id"),
        Row("", #"{"appId":"1:2:ios:ff"}"#, 400, "app_id"),
        Row("", #"{"appId":"APP","authVersion":"FIS_v1"}"#, 400, "auth_version"),
    ]

    @Test(arguments: refused) func `refuses a request that is wrong and names what is`(row: Row) async throws {
        let world = try await DeviceWorld()
        let key = row.key.map { $0.isEmpty ? world.app.apiKey : $0 }
        let answer = await world.call(
            "POST", "/v1/projects/demo-device/installations",
            fields: key.map { [("x-goog-api-key", $0)] } ?? [],
            body: row.body.replacing("APP", with: world.app.id.text))
        #expect(answer.status == row.status)
        #expect(answer.text.contains(row.text))
    }

    @Test func `refuses the key of another project and the bundle of another app`() async throws {
        let world = try await DeviceWorld()
        let other = await world.call("POST", "/v1/projects/demo-other/installations", fields: [world.key], body: "{}")
        #expect(other.status == 403)
        let bundle = await world.call(
            "POST", "/v1/projects/demo-device/installations",
            fields: [world.key, ("x-ios-bundle-identifier", "com.example.stranger")], body: "{}")
        #expect(bundle.status == 403)
    }
}
