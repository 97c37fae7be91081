import HTTPSemantics
import PushModel
import SQLiteStore
import Testing

@Suite struct `Classic registration door` {
    private func form(_ world: DeviceWorld, fid: String, id: UInt64, extra: String = "") -> String {
        "X-osv=18.0&device=\(id)&X-scope=*&plat=2&app=\(DeviceWorld.bundleID)&app_ver=1.0&X-cliv=fiid-12.0.0"
            + "&sender=\(world.project.number)&X-subtype=\(world.project.number)&appid=\(fid)"
            + "&apns_token=s_\(String(repeating: "AB", count: 32))&gmp_app_id=\(world.app.id)" + extra
    }

    private func fields(_ id: UInt64, _ token: UInt64, _ auth: String) -> [(String, String)] {
        [
            ("authorization", "AidLogin \(id):\(token)"), ("app", DeviceWorld.bundleID),
            ("x-goog-firebase-installations-auth", auth),
        ]
    }

    @Test func `registers the Apple SDK's form, which is not percent-encoded`() async throws {
        let world = try await DeviceWorld()
        let (id, secret) = await world.checkIn()
        let installation = try await world.install()
        let answer = await world.call(
            "POST", "/register", fields: fields(id, secret, installation.authToken),
            body: form(world, fid: installation.fid, id: id))
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix("token=\(installation.fid):APA91b"))
        #expect(answer.text.split(separator: "=").count == 2, "a token never contains an equals sign")
        #expect(!answer.text.contains("\n"))
    }

    @Test(arguments: [
        ("&delete=true", "token="), ("&X-delete=1&delete=1", "token="),
        ("&delete=true&gcm_unreg_caller=false", "deleted="),
    ])
    func `answers a deletion in the way its client expects`(extra: String, beginning: String) async throws {
        let world = try await DeviceWorld()
        let (id, secret) = await world.checkIn()
        let installation = try await world.install()
        let answer = await world.call(
            "POST", "/c2dm/register3", fields: fields(id, secret, installation.authToken),
            body: form(world, fid: installation.fid, id: id, extra: extra))
        #expect(answer.text.hasPrefix(beginning))
    }

    @Test func `registers a browser for its app server's key`() async throws {
        let world = try await DeviceWorld()
        let (id, secret) = await world.checkIn()
        let key = "BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG4"
        let answer = await world.call(
            "POST", "/c2dm/register3", fields: [("authorization", "AidLogin \(id):\(secret)")],
            body: "app=org.chromium.linux&X-subtype=wp:https://example.com/%231-V2&device=\(id)&scope=GCM"
                + "&X-scope=GCM&gmsv=156&appid=cAAAAAAAAAA&sender=\(key)")
        #expect(answer.text.hasPrefix("token=cAAAAAAAAAA:APA91b"))
    }

    struct Row: Sendable {
        var authorization: String
        var body: String
        var answer: String
        var status: Int

        init(_ authorization: String, _ body: String, _ answer: String, _ status: Int = 200) {
            self.authorization = authorization
            self.body = body
            self.answer = answer
            self.status = status
        }
    }

    static let refused = [
        Row("AidLogin 0:0", "device=0&app=a&sender=1", "Error=PHONE_REGISTRATION_ERROR"),
        Row("AidLogin 5:5", "device=5&app=a&sender=1", "Error=PHONE_REGISTRATION_ERROR"),
        Row("AidLogin x:y", "device=5&app=a&sender=1", "Error=AUTHENTICATION_FAILED", 401),
        Row("AidLogin 1", "device=5&app=a&sender=1", "Error=AUTHENTICATION_FAILED", 401),
        Row("AidLogin 1:2:3", "device=5&app=a&sender=1", "Error=AUTHENTICATION_FAILED", 401),
        Row("Bearer 1:2", "device=5&app=a&sender=1", "Error=AUTHENTICATION_FAILED", 401),
        Row("", "", "Error=AUTHENTICATION_FAILED", 401),
        Row("AidLogin 99999999999999999999:1", "app=a", "Error=AUTHENTICATION_FAILED", 401),
    ]

    @Test(arguments: refused) func `refuses a device that is not proved`(row: Row) async throws {
        let world = try await DeviceWorld()
        let answer = await world.call(
            "POST", "/c2dm/register3", fields: [("authorization", row.authorization)], body: row.body)
        #expect(answer.text == row.answer)
        #expect(answer.status == row.status)
    }

    @Test func `refuses a body that is not UTF-8 or has too many fields`() async throws {
        let world = try await DeviceWorld()
        let flood = (0..<200).map { "f\($0)=1" }.joined(separator: "&")
        for bytes in [[0xff, 0xfe], Array(flood.utf8)] as [[UInt8]] {
            let answer = await world.call("POST", "/register", bytes: bytes)
            #expect(answer.text == "Error=INVALID_PARAMETERS")
        }
    }
}
