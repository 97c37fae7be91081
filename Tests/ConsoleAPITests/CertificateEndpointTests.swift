import Accounts
import Bytes
import Crypto
import GoogleAPI
import HTTPSemantics
import JSON
import PropertyTesting
import PushModel
import SQLiteStore
import Testing
import Timekeeping

@testable import ConsoleAPI

@Suite struct `The endpoint of APNs certificates` {
    private static let path = "projects/demo-kitchen/apns-certificates"

    /// As Apple makes them, for an app and in the time of `ConsoleWorld`.
    private static func identity(
        environment: ASN1Identifier? = nil, from start: Int64 = 1_600_000_000, to end: Int64 = 1_800_000_000
    ) throws -> CertifiedKey {
        let validity = Timestamp(seconds: start)...Timestamp(seconds: end)
        let authority = try CertificateAuthority.generate(name: "Test CA", validity: validity)
        var extensions = [
            ApplePushTopics([
                .init(name: "com.example.app", kinds: ["app"]), .init(name: "com.example.app.voip", kinds: ["voip"]),
            ]).certificateExtension
        ]
        if let environment { extensions.append(.init(environment, value: [5, 0])) }
        return try authority.issueClient(
            subject: DistinguishedName(commonName: "Apple Push Services: <b>"), validity: validity,
            extensions: extensions)
    }

    private static func body(
        _ file: some Sequence<UInt8>, key: String = "", password: String = "", _ more: [String: JSONValue] = [:]
    ) -> String {
        var body: JSONObject = ["file": .string(Base64.encode(Array(file)))]
        if !key.isEmpty { body["key"] = .string(key) }
        if !password.isEmpty { body["password"] = .string(password) }
        for (name, value) in more { body[name] = value }
        return JSONValue.object(body).text
    }

    private func upload(_ body: String, to world: ConsoleWorld) async throws -> (status: Int, fields: [String?]) {
        let answer = try await world.visit(.administrator).call("POST", Self.path, body)
        return (answer.status, answer.violatedFields)
    }

    @Test func `takes a certificate with its key, in one file or two`() async throws {
        let identity = try Self.identity()
        let both = Array((identity.keyPEM + identity.certificatePEM).utf8)
        let bodies = [
            Self.body(both), Self.body(identity.certificatePEM.utf8, key: identity.keyPEM),
            Self.body(identity.chain[0].der, key: identity.keyPEM),
        ]
        for body in bodies {
            let world = try await ConsoleWorld()
            #expect(try await upload(body, to: world).status == 200)
            let kept = world.store.apnsCredentials(of: world.project.number)
            #expect(kept.map(\.kind) == [.certificate(chainPEM: identity.certificatePEM, keyPEM: identity.keyPEM)])
            #expect(kept.map(\.bundleIDs) == [["com.example.app"]])
            #expect(kept.map(\.environments) == [Set(APNsEnvironment.allCases)])
        }
    }

    @Test func `answers and lists it without its key, and lets it be deleted`() async throws {
        let world = try await ConsoleWorld()
        let caller = try await world.visit(.administrator)
        let identity = try Self.identity(environment: .applePushProduction)
        let answer = await caller.call(
            "POST", Self.path, Self.body(identity.certificatePEM.utf8, key: identity.keyPEM))
        let made = try #require(answer.json)
        #expect(made["kind"] == "certificate" && made["environments"] == ["production"])
        #expect(made["name"] == "Apple Push Services: <b>")
        #expect(made["expiresAt"]?.string?.hasPrefix("2027-01-15T08:00:00") == true)
        let list = await caller.call("GET", "projects/demo-kitchen/apns-keys")
        #expect(list.json?["apnsKeys"] == [made])
        #expect(!String(decoding: list.body + answer.body, as: UTF8.self).contains("PRIVATE"))
        let name = try #require(made["keyId"]?.string)
        #expect(await caller.status("DELETE", "projects/demo-kitchen/apns-keys/" + name) == 200)
        #expect(world.store.apnsCredentials(of: world.project.number).isEmpty)
        let audit = try world.store.auditEntries(of: world.project.number, before: nil, limit: 10)
        #expect(audit.map(\.action) == ["apnsKey.delete", "apnsCertificate.create"])
        #expect(!audit.contains { ($0.subject + $0.detail).contains("PRIVATE") })
    }

    @Test func `refuses what APNs would refuse, at the field that is to blame`() async throws {
        let world = try await ConsoleWorld()
        let good = try Self.identity(environment: .applePushDevelopment)
        let file = good.certificatePEM.utf8
        let over = try Self.identity(from: 1_000_000_000, to: 1_100_000_000)
        let early = try Self.identity(from: 1_750_000_000, to: 1_800_000_000)
        let rows: [(String, String)] = [
            (#"{"file":"no base64 at all!"}"#, "file"), (#"{"file":"AAAA"}"#, "file"), (#"{"file":""}"#, "file"),
            ("{}", "file"), (Self.body("noise".utf8), "file"), (Self.body(good.keyPEM.utf8), "file"),
            (Self.body(file), "key"), (Self.body(file, key: "noise"), "file"),
            (Self.body(good.chain[0].der), "key"),
            (Self.body(file, key: try P256PrivateKey.generate().pem), "key"),
            (Self.body(file.dropLast(40), key: good.keyPEM), "file"),
            (Self.body(over.certificatePEM.utf8, key: over.keyPEM), "file"),
            (Self.body(early.certificatePEM.utf8, key: early.keyPEM), "file"),
            (Self.body(file, key: good.keyPEM, ["bundleIds": ["com.example.other"]]), "bundleIds"),
            (Self.body(file, key: good.keyPEM, ["bundleIds": ["com.example.app.voip"]]), "bundleIds"),
            (Self.body(file, key: good.keyPEM, ["bundleIds": ["no bundle id"]]), "bundleIds"),
            (Self.body(file, key: good.keyPEM, ["environments": ["production"]]), "environments"),
        ]
        for (body, field) in rows {
            let answer = try await upload(body, to: world)
            #expect(answer.status == 400 && answer.fields == [field], "\(body.prefix(80))")
        }
        #expect(world.store.apnsCredentials(of: world.project.number).isEmpty)
    }

    @Test func `is for administrators of the project`() async throws {
        let world = try await ConsoleWorld()
        let identity = try Self.identity()
        let body = Self.body(identity.certificatePEM.utf8, key: identity.keyPEM)
        for (role, status) in [(ConsoleRole?.none, 404), (.viewer, 403), (.editor, 403), (.administrator, 200)] {
            #expect(try await world.visit(role).status("POST", Self.path, body) == status)
        }
    }

    @Test(arguments: 0..<40) func `survives any bytes`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let world = try await ConsoleWorld()
        let identity = try Self.identity()
        var file = seed.isMultiple(of: 2) ? identity.chain[0].der : Array(identity.certificatePEM.utf8)
        for _ in 0..<3 { file[Int.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random) }
        let status = try await upload(Self.body(file, key: identity.keyPEM), to: world).status
        #expect(status == 200 || status == 400)
    }
}
