import HTTPSemantics
import JSON
import PushModel
import SQLiteStore
import Testing

@Suite struct `FID registration door` {
    private static let point = "BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG4"
    private static let offCurve =
        "BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG8"
    private static let otherPoint =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let thirdPoint =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private static let apple = #"{"ios":{"apns_token":"00FF","apns_environment":"SANDBOX","app_version":"1.0"}}"#

    private func register(
        _ world: DeviceWorld, auth: String, body: String = apple
    ) async -> HTTPResponse {
        await world.call(
            "POST", "/v1/projects/demo-device/registrations",
            fields: [world.key, ("x-goog-firebase-installations-auth", auth)], body: body)
    }

    @Test(arguments: ["", "FIS "]) func `registers an Apple app by its installation`(prefix: String) async throws {
        let world = try await DeviceWorld()
        let installation = try await world.install()
        let answer = await register(world, auth: prefix + installation.authToken)
        #expect(answer.status == 200)
        #expect(
            answer.json["name"]?.string == "projects/\(world.project.number)/registrations/\(installation.fid)")
        let registration = try world.store.registration(fid: installation.fid, in: world.project.number)
        #expect(registration?.isFIDMode == true)
    }

    @Test func `notes the device of an app's direct channel, and no device that is not proved`() async throws {
        let world = try await DeviceWorld()
        let installation = try await world.install()
        let device = await world.checkIn()
        func noted(_ authorization: String) async throws -> UInt64? {
            let answer = await world.call(
                "POST", "/v1/projects/demo-device/registrations",
                fields: [
                    world.key, ("x-goog-firebase-installations-auth", installation.authToken),
                    ("authorization", authorization),
                ], body: Self.apple)
            #expect(answer.status == 200)
            return try world.store.registration(fid: installation.fid, in: world.project.number)?.androidID
        }
        let wrong = [
            "", "AidLogin \(device.id):\(device.token ^ 1)", "AidLogin \(device.id ^ 1):\(device.token)", "AidLogin x",
            "Bearer \(device.id):\(device.token)",
        ]
        for authorization in wrong { #expect(try await noted(authorization) == 0) }
        #expect(try await noted("AidLogin \(device.id):\(device.token)") == device.id)
        // A later registration without it leaves it as it is.
        #expect(try await noted("") == device.id)
    }

    @Test func `unregisters with exactly 200, and knows nothing of it afterwards`() async throws {
        let world = try await DeviceWorld()
        let installation = try await world.install()
        _ = await register(world, auth: installation.authToken)
        let fields = [world.key, ("x-goog-firebase-installations-auth", installation.authToken)]
        let path = "/v1/projects/demo-device/registrations/\(installation.fid)"
        #expect(await world.call("DELETE", path, fields: fields).status == 200)
        #expect(await world.call("DELETE", path, fields: fields).status == 404)
    }

    @Test func `does not let an installation unregister another one`() async throws {
        let world = try await DeviceWorld()
        let first = try await world.install()
        let second = try await world.install()
        _ = await register(world, auth: first.authToken)
        let answer = await world.call(
            "DELETE", "/v1/projects/demo-device/registrations/\(first.fid)",
            fields: [world.key, ("x-goog-firebase-installations-auth", second.authToken)])
        #expect(answer.status == 403)
    }

    @Test func `gives a browser a token, renews and deletes it by that token`() async throws {
        let world = try await DeviceWorld()
        let installation = try await world.install()
        let web =
            #"{"web":{"endpoint":"https://push.example.net/abc","p256dh":"\#(Self.point)=","auth":"AAAAAAAAAAAAAAAAAAAAAA==","applicationPubKey":null}}"#
        let created = await register(world, auth: installation.authToken, body: web)
        #expect(created.status == 200)
        let token = created.json["token"]?.string ?? ""
        #expect(token.hasPrefix(installation.fid + ":APA91b"))
        let fields = [world.key, ("x-goog-firebase-installations-auth", "FIS " + installation.authToken)]
        let path = "/v1/projects/demo-device/registrations/\(token)"
        let renewed = await world.call("PATCH", path, fields: fields, body: web)
        #expect(renewed.json["token"]?.string == token)
        #expect(await world.call("DELETE", path, fields: fields).status == 200)
    }

    struct Row: Sendable {
        var body: String
        var field: String

        init(_ body: String, _ field: String) {
            self.body = body
            self.field = field
        }
    }

    static let refused = [
        Row("{}", "registration"),
        Row(#"{"ios":{},"web":{}}"#, "registration"),
        Row(#"{"ios":[]}"#, "ios"),
        Row(#"{"ios":{"apns_environment":"SANDBOX"}}"#, "ios.apns_token"),
        Row(#"{"ios":{"apns_token":"","apns_environment":"SANDBOX"}}"#, "ios.apns_token"),
        Row(#"{"ios":{"apns_token":"0","apns_environment":"SANDBOX"}}"#, "ios.apns_token"),
        Row(#"{"ios":{"apns_token":"xyz0","apns_environment":"SANDBOX"}}"#, "ios.apns_token"),
        Row(#"{"ios":{"apns_token":7,"apns_environment":"SANDBOX"}}"#, "ios.apns_token"),
        Row(#"{"ios":{"apns_token":"00ff"}}"#, "ios.apns_environment"),
        Row(#"{"ios":{"apns_token":"00ff","apns_environment":"DEVELOPMENT"}}"#, "ios.apns_environment"),
        Row(#"{"ios":{"apns_token":"00ff","apns_environment":"PROD","bundle_id":"other"}}"#, "ios.bundle_id"),
        Row(#"{"web":{"endpoint":"http://plain.example.com/x"}}"#, "web.endpoint"),
        Row(#"{"web":{"endpoint":"https://e/x","p256dh":"AAAA"}}"#, "web.p256dh"),
        Row(#"{"web":{"endpoint":"https://e/x","p256dh":"POINT","auth":"AA"}}"#, "web.auth"),
        Row(
            #"{"web":{"endpoint":"https://e/fcm/send/c:APA91bX","p256dh":"POINT","auth":"AAAAAAAAAAAAAAAAAAAAAA"}}"#,
            "web.endpoint"),
        Row(
            #"{"web":{"endpoint":"http://e/fcm/send/c:APA91bX","p256dh":"POINT","auth":"AAAAAAAAAAAAAAAAAAAAAA"}}"#,
            "web.endpoint"),
        Row(#"{"web":{"endpoint":"https://user@e/x"}}"#, "web.endpoint"),
        Row(#"{"web":{"endpoint":"https://e/x","p256dh":"OFFCURVE","auth":"AAAAAAAAAAAAAAAAAAAAAA"}}"#, "web.p256dh"),
        Row(
            #"{"web":{"endpoint":"https://e/x","p256dh":"POINT","auth":"AAAAAAAAAAAAAAAAAAAAAA","applicationPubKey":"OFFCURVE"}}"#,
            "web.application_pub_key"),
    ]

    @Test(arguments: refused) func `names the field that is wrong`(row: Row) async throws {
        let world = try await DeviceWorld()
        let installation = try await world.install()
        let answer = await register(
            world, auth: installation.authToken,
            body: row.body.replacing("POINT", with: Self.point).replacing("OFFCURVE", with: Self.offCurve))
        #expect(answer.status == 400)
        let violations = answer.error["details"]?.array?.first?.object?["fieldViolations"]?.array
        #expect(violations?.first?.object?["field"]?.string == row.field)
    }

    @Test func `takes an endpoint of ours only while its browser holds it, and only with its key`() async throws {
        let world = try await DeviceWorld()
        let installation = try await world.install()
        let device = await world.checkIn()
        func subscribe(_ more: String = "") async -> String {
            let answer = await world.call(
                "POST", "/c2dm/register3", fields: [("authorization", "AidLogin \(device.id):\(device.token)")],
                body: "app=org.chromium.linux&X-subtype=wp:a&device=\(device.id)&sender=\(Self.otherPoint)\(more)")
            return String(answer.text.dropFirst("token=".count))
        }
        let token = await subscribe()
        func status(_ endpoint: String, key: String?) async -> Int {
            let key = key.map { #","applicationPubKey":"\#($0)""# } ?? ""
            let body =
                #"{"web":{"endpoint":"\#(endpoint)","p256dh":"\#(Self.point)","auth":"AAAAAAAAAAAAAAAAAAAAAA"\#(key)}}"#
            return await register(world, auth: installation.authToken, body: body).status
        }
        for host in ["https://fcm.googleapis.com/fcm/send/", "https://jmt17.google.com/wp/", "http://127.0.0.1:1/"] {
            #expect(await status(host + token, key: Self.otherPoint) == 200)
            #expect(await status(host + token, key: Self.otherPoint + "=") == 200)
            #expect(await status(host + token, key: nil) == 200)
            #expect(await status(host + token, key: Self.thirdPoint) == 400)
        }
        #expect(await status("https://push.example.net/abc", key: Self.thirdPoint) == 200)
        // Google's own service gave this one out. Only with a key that is held here can pushes to it be signed.
        let googles = "https://fcm.googleapis.com/fcm/send/cAbcdefghij:APA91bGzzz"
        #expect(await status(googles, key: nil) == 400)
        #expect(await status(googles, key: Self.otherPoint) == 400)
        #expect(await status(googles, key: HeldKey.point) == 200)
        #expect(await status(googles.replacing("https", with: "http"), key: HeldKey.point) == 400)
        _ = await subscribe("&delete=true")
        #expect(await status("https://fcm.googleapis.com/fcm/send/" + token, key: Self.otherPoint) == 400)
    }

    @Test(arguments: ["", "x", "FIS ", "a.b.c"]) func `wants a valid auth token`(auth: String) async throws {
        let world = try await DeviceWorld()
        let answer = await register(world, auth: auth)
        #expect(answer.status == 401)
        #expect(answer.error["status"]?.string == "UNAUTHENTICATED")
    }
}
