import AppServerTesting
import Bytes
import Crypto
import HTTPSemantics
import JSON
import PropertyTesting
import PushModel
import SQLiteStore
import Testing
import Timekeeping
import WebPushWire

@testable import WebPushAPI

@Suite struct `Push service of our own browsers` {
    private static let ttl = ("ttl", "60")

    @Test(arguments: WebPushEncoding.allCases)
    func `hands on what the app server encrypted, unchanged`(encoding: WebPushEncoding) async throws {
        let world = try await BrowserWorld()
        let (registration, token) = try await world.register()
        let content = try WebPushSealer().seal(
            Array("hello".utf8), for: world.browser.subscription, as: encoding)
        var fields = [
            Self.ttl, ("urgency", "high"), ("topic", "news"), ("content-encoding", encoding.rawValue),
            try world.vapid(),
        ]
        if let key = content.cryptoKey { fields.append(("crypto-key", key + ";p256ecdsa=" + world.applicationKey)) }
        if let encryption = content.encryption { fields.append(("encryption", encryption)) }
        let answer = await world.call("POST", "/fcm/send/\(token)", fields: fields, body: content.body)
        #expect(answer.status == 201)
        let delivery = try #require(world.world.platform.submitted.first)
        #expect(answer.fields["location"] == "https://push.example.com/message/\(delivery.message.id)")
        #expect(answer.fields["ttl"] == "60")
        #expect(delivery.recipient.id == registration.id && delivery.message.project == .none)
        #expect(delivery.message.message.android?.timeToLive?.seconds == 60)
        #expect(delivery.message.message.android?.priority == .high)
        let encrypted = try #require(delivery.message.message.encrypted)
        #expect(encrypted.from == world.applicationKey && encrypted.topic == "news")
        let arrived = EncryptedPushContent(
            encoding: encoding, body: encrypted.body, cryptoKey: encrypted.cryptoKey, encryption: encrypted.encryption)
        #expect(try world.browser.open(arrived) == Array("hello".utf8))
        #expect(encoding == .aes128gcm || encrypted.cryptoKey == fields.first { $0.0 == "crypto-key" }?.1)
    }

    @Test(arguments: ["/fcm/send/", "/wp/", "/preprod/wp/"])
    func `answers under each path, with the colon escaped or not, and without content`(path: String) async throws {
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        for name in [token, token.replacing(":", with: "%3A")] {
            #expect(await world.call("POST", path + name, fields: [Self.ttl, try world.vapid()]).status == 201)
        }
        let deliveries = world.world.platform.submitted
        #expect(deliveries.count == 2 && deliveries.allSatisfy { $0.message.message.encrypted?.body == [] })
    }

    @Test func `keeps what is durable over a restart, also for browsers of no project`() async throws {
        let world = try await BrowserWorld()
        let (registration, token) = try await world.register()
        _ = await world.call("POST", "/wp/\(token)", fields: [Self.ttl, try world.vapid()])
        let pending = try world.world.store.pendingDeliveries(after: DeliveryID(value: 0), limit: 10)
        #expect(pending.map(\.recipient.id) == [registration.id])
        #expect(pending.first?.message.project == Project.none)
    }

    @Test func `takes both forms of the signature`() async throws {
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        let (_, value) = try world.vapid()
        let jwt = value.dropFirst("vapid t=".count).prefix { $0 != "," }
        let fields = [
            Self.ttl, ("authorization", "WebPush \(jwt)"), ("crypto-key", "p256ecdsa=\(world.applicationKey)"),
        ]
        #expect(await world.call("POST", "/fcm/send/\(token)", fields: fields).status == 201)
    }

    @Test func `takes signatures for each of its names`() async throws {
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        let rows: [(origin: String, status: Int)] = [
            (BrowserWorld.origin, 201), ("https://push.example.com:443", 201), ("http://127.0.0.1:9599", 201),
            ("https://fcm.googleapis.com", 201), ("https://jmt17.google.com", 201), ("HTTPS://FCM.googleapis.com", 201),
            ("https://updates.push.services.mozilla.com", 403), ("https://push.example.com.evil.example", 403),
            ("https://push.example.com/", 403), ("https://push.example.com/fcm", 403), ("http://push.example.com", 201),
            ("https://push.example.com:444", 403), ("push.example.com", 403), ("", 403), ("*", 403),
        ]
        for row in rows {
            let answer = await world.call(
                "POST", "/fcm/send/\(token)", fields: [Self.ttl, try world.vapid(origin: row.origin)])
            #expect(answer.status == row.status, "\(row.origin)")
        }
    }

    @Test func `takes signatures for the name under which it was reached`() async throws {
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        let rows: [(origin: String, authority: String, status: Int)] = [
            ("https://localhost:9600", "localhost:9600", 201), ("http://localhost:9600", "localhost:9600", 201),
            ("https://alias.example", "Alias.example:443", 201), ("http://alias.example", "alias.example:80", 201),
            ("https://[::1]:9600", "[::1]:9600", 201), ("https://localhost:9601", "localhost:9600", 403),
            ("https://localhost", "localhost:9600", 403), ("https://localhost:9600/x", "localhost:9600", 403),
            ("https://", "", 403), ("", "", 403), ("https://a@alias.example", "a@alias.example", 403),
            ("https://other.example", "alias.example", 403),
        ]
        for row in rows {
            let answer = await world.call(
                "POST", "/fcm/send/\(token)", fields: [Self.ttl, try world.vapid(origin: row.origin)],
                authority: row.authority)
            #expect(answer.status == row.status, "\(row.origin) as \(row.authority)")
        }
    }

    @Test func `refuses whoever is not the sender that the browser subscribed for`() async throws {
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        let stranger = try P256PrivateKey.generate()
        let (_, good) = try world.vapid()
        let rows: [(authorization: String?, status: Int)] = [
            (nil, 401), ("", 401), ("key=\(AppServerWorld.serverKey)", 401), ("Bearer kitchen", 401), ("vapid", 401),
            ("vapid t=a.b.c, k=\(world.applicationKey)", 403), ("vapid t=a.b.c", 403),
            (try world.vapid(key: stranger).1, 403),
            (good.replacing("k=\(world.applicationKey)", with: "k=\(Base64URL.encode(stranger.publicKey.x963))"), 403),
        ]
        for row in rows {
            let fields = [Self.ttl] + (row.authorization.map { [("authorization", $0)] } ?? [])
            let answer = await world.call("POST", "/fcm/send/\(token)", fields: fields)
            #expect(answer.status == row.status, "\(row.authorization ?? "nothing")")
            #expect((answer.fields["www-authenticate"] == "vapid") == (row.status == 401))
        }
        world.world.clock.set(world.world.clock.now().adding(seconds: 100_000))
        let late = await world.call("POST", "/fcm/send/\(token)", fields: [Self.ttl, ("authorization", good)])
        #expect(late.status == 403)
        #expect(world.world.platform.submitted.isEmpty)
    }

    @Test func `takes server keys for browsers that subscribed with a sender id`() async throws {
        let world = try await BrowserWorld()
        let project = world.world.project
        let (_, token) = try await world.register(sender: project.number.description)
        let rows: [(String, Int)] = [
            ("key=\(AppServerWorld.serverKey)", 201), ("key=\(AppServerWorld.otherServerKey)", 403),
            ("key=nonsense", 401),
            (try world.vapid().1, 401),
        ]
        for (authorization, status) in rows {
            let answer = await world.call(
                "POST", "/fcm/send/\(token)", fields: [Self.ttl, ("authorization", authorization)])
            #expect(answer.status == status, "\(authorization)")
        }
        #expect(world.world.platform.submitted.map(\.message.project.number) == [project.number])
    }

    @Test func `knows the endpoints that are none and those that have ended`() async throws {
        let world = try await BrowserWorld()
        let (registration, token) = try await world.register()
        let (_, apple) = try await world.world.register(1)
        let rows: [(String, Int)] = [
            ("x", 404), ("c:APA91b", 404), ("c:APA91bAAAA", 404), (String(token.dropLast()), 404), (token + "A", 404),
            (String(repeating: "a", count: 5_000), 404), (apple, 410),
        ]
        for (name, status) in rows {
            let answer = await world.call("POST", "/fcm/send/\(name)", fields: [Self.ttl, try world.vapid()])
            #expect(answer.status == status, "\(name.prefix(40))")
        }
        try await world.world.store.end(registration.id, .deletedByApp, at: world.world.clock.now())
        #expect(await world.call("POST", "/fcm/send/\(token)", fields: [Self.ttl, try world.vapid()]).status == 410)
        let (_, renewed) = try await world.register()
        #expect(renewed != token)
        #expect(await world.call("POST", "/fcm/send/\(token)", fields: [Self.ttl, try world.vapid()]).status == 410)
        #expect(await world.call("POST", "/fcm/send/\(renewed)", fields: [Self.ttl, try world.vapid()]).status == 201)
        #expect(await world.call("GET", "/fcm/send/\(renewed)").status == 404)
    }

    struct HeaderRow: Sendable {
        var fields: [(String, String)]
        var body: [UInt8] = []
        var status: Int

        init(_ fields: [(String, String)], _ status: Int) {
            self.init(fields, [], status)
        }

        init(_ fields: [(String, String)], _ body: [UInt8], _ status: Int) {
            self.fields = fields
            self.body = body
            self.status = status
        }
    }

    private static let sealed = [UInt8](repeating: 7, count: 40)
    private static let dh = "dh=" + Base64URL.encode([4] + [UInt8](repeating: 1, count: 64))
    private static let salt = "salt=" + Base64URL.encode([UInt8](repeating: 1, count: 16))

    private static func record(size: UInt8 = 200, keyBytes: UInt8 = 65, sealedBytes: Int = 40) -> [UInt8] {
        [UInt8](repeating: 1, count: 16) + [0, 0, 0, size, keyBytes] + [UInt8](repeating: 4, count: 65)
            + [UInt8](repeating: 9, count: sealedBytes)
    }

    static let headers = [
        HeaderRow([], 400), HeaderRow([("ttl", "")], 400), HeaderRow([("ttl", "-1")], 400),
        HeaderRow([("ttl", "1.5")], 400),
        HeaderRow([("ttl", "a")], 400), HeaderRow([("ttl", "+1")], 400), HeaderRow([("ttl", "1"), ("ttl", "2")], 400),
        HeaderRow([("ttl", String(repeating: "9", count: 21))], 400), HeaderRow([("ttl", "99999999999999999999")], 201),
        HeaderRow([("ttl", "0")], 201), HeaderRow([("ttl", " 5 ")], 201),
        HeaderRow([ttl, ("urgency", "very-low")], 201), HeaderRow([ttl, ("urgency", "low")], 201),
        HeaderRow([ttl, ("urgency", "normal")], 201), HeaderRow([ttl, ("urgency", "High")], 400),
        HeaderRow([ttl, ("urgency", "")], 400), HeaderRow([ttl, ("urgency", "high, low")], 400),
        HeaderRow([ttl, ("topic", "a")], 201), HeaderRow([ttl, ("topic", String(repeating: "a", count: 32))], 201),
        HeaderRow([ttl, ("topic", String(repeating: "a", count: 33))], 400), HeaderRow([ttl, ("topic", "")], 400),
        HeaderRow([ttl, ("topic", "a/b")], 400),
        HeaderRow([ttl], sealed, 400), HeaderRow([ttl, ("content-encoding", "gzip")], sealed, 400),
        HeaderRow([ttl, ("content-encoding", "aes128gcm")], sealed, 400),
        HeaderRow([ttl, ("content-encoding", "aes128gcm")], record(), 201),
        HeaderRow([ttl, ("content-encoding", "AES128GCM")], record(), 201),
        HeaderRow([ttl, ("content-encoding", "aes128gcm")], record(size: 17), 400),
        HeaderRow([ttl, ("content-encoding", "aes128gcm")], record(size: 39), 400),
        HeaderRow([ttl, ("content-encoding", "aes128gcm")], record(keyBytes: 64), 400),
        HeaderRow([ttl, ("content-encoding", "aes128gcm")], record(sealedBytes: 16), 400),
        HeaderRow([ttl, ("content-encoding", "aesgcm")], sealed, 400),
        HeaderRow([ttl, ("content-encoding", "aesgcm"), ("crypto-key", dh)], sealed, 400),
        HeaderRow([ttl, ("content-encoding", "aesgcm"), ("encryption", salt)], sealed, 400),
        HeaderRow([ttl, ("content-encoding", "aesgcm"), ("crypto-key", dh), ("encryption", salt)], sealed, 201),
        HeaderRow([ttl, ("content-encoding", "aesgcm"), ("crypto-key", dh), ("encryption", "salt=AA")], sealed, 400),
        HeaderRow([ttl, ("content-encoding", "aesgcm"), ("crypto-key", "dh=AA"), ("encryption", salt)], sealed, 400),
    ]

    private func expect(_ rows: [HeaderRow]) async throws {
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        for row in rows {
            let answer = await world.call(
                "POST", "/fcm/send/\(token)", fields: row.fields + [try world.vapid()], body: row.body)
            #expect(answer.status == row.status, "\(row.fields) with \(row.body.count) bytes")
        }
    }

    @Test func `checks what travels beside the content`() async throws {
        try await expect(Self.headers)
    }

    @Test func `grants at most four weeks and takes bodies of 4,096 bytes`() async throws {
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        let answer = await world.call("POST", "/wp/\(token)", fields: [("ttl", "2419201"), try world.vapid()])
        #expect(answer.fields["ttl"] == "2419200")
        #expect(world.bodyLimit == 4_096)
    }

    @Test func `survives any headers without a trap`() async throws {
        var random = SeededGenerator(seed: 8030)
        let world = try await BrowserWorld()
        let (_, token) = try await world.register()
        let original = [
            Self.ttl, ("urgency", "normal"), ("topic", "t"), ("content-encoding", "aesgcm"), ("crypto-key", Self.dh),
            ("encryption", Self.salt), try world.vapid(),
        ]
        for _ in 0..<500 {
            let place = Int.random(in: original.indices, using: &random)
            var fields = original
            fields[place].1 = String(decoding: random.mutate(Array(fields[place].1.utf8)), as: UTF8.self)
            let answer = await world.call("POST", "/fcm/send/\(token)", fields: fields, body: Self.sealed)
            #expect([201, 400, 401, 403].contains(answer.status))
        }
    }
}
