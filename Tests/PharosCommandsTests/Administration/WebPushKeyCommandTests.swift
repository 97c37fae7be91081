import Bytes
import Crypto
import JSON
import PushCore
import PushModel
import SQLiteStore
import Testing

@testable import PharosCommands

@Suite struct `Commands for web push keys` {
    let scene: AdministrationScene
    /// RFC 8291 §5, the receiver's pair.
    static let scalar = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

    init() throws {
        scene = try AdministrationScene()
    }

    @Test func `a project has a key from its first moment`() async throws {
        let project = try await scene.project()
        let shown = try await scene.run(.webPushKeyShow)
        #expect(shown.text.utf8.count == 87 && Base64URL.decode(shown.text)?.count == 65)
        #expect(shown.json["source"] == "derived" && shown.json["older_keys"] == .array([]))
        #expect(shown.json["public_key"]?.string == shown.text)
        let keys: any WebPushKeys = scene.administration.webPushKeys
        #expect(keys.privateKey(of: project.number, for: Base64URL.decode(shown.text) ?? []) != nil)
        _ = try await scene.project("my-other")
        #expect(try await scene.run(.webPushKeyShow, "--project", "my-other").text != shown.text)
    }

    static let forms: [(name: String, text: @Sendable () throws -> String)] = [
        ("base64url", { scalar }), ("base64url with a line end", { scalar + "\n" }),
        ("padded base64url", { scalar + "=" }),
        ("JSON of the tools", { "{\"publicKey\":\"\(point)\",\"privateKey\":\"\(scalar)\"}" }),
        ("PEM", { try pem() }), ("PEM on one line", { try pem().replacing("\n", with: "\\n") }),
    ]

    private static func pem() throws -> String {
        try P256PrivateKey(scalar: Base64URL.decode(scalar) ?? []).pem
    }

    @Test(arguments: forms.indices) func `a pair that was made elsewhere is taken in any form`(row: Int) async throws {
        let project = try await scene.project()
        let path = try scene.write(Self.forms[row].text(), to: "key")
        let first = try await scene.run(.webPushKeyShow).text
        let report = try await scene.run(.webPushKeyImport, path, "--public-key", Self.point)
        #expect(report.json["public_key"]?.string == Self.point, "\(Self.forms[row].name)")
        #expect(report.text.contains("stay subscribed"))
        #expect(!report.text.contains(Self.scalar) && !report.text.contains("PRIVATE"))
        let shown = try await scene.run(.webPushKeyShow)
        #expect(shown.text == "\(Self.point)\nolder: \(first)")
        #expect(shown.json["source"] == "imported" && shown.json["older_keys"] == .array([.string(first)]))
        let keys: any WebPushKeys = scene.administration.webPushKeys
        for key in [first, Self.point] {
            let pem = keys.privateKey(of: project.number, for: Base64URL.decode(key) ?? [])?.reveal()
            #expect(try P256PrivateKey(pem: #require(pem)).publicKey.x963 == Base64URL.decode(key))
        }
    }

    @Test func `the newest import is the key, also when it was there before, and another project has none of it`()
        async throws
    {
        let project = try await scene.project()
        let other = try await scene.project("my-other")
        let made = try P256PrivateKey.generate()
        let paths = [try scene.write(Self.scalar, to: "one"), try scene.write(made.pem, to: "two")]
        for path in [paths[0], paths[1], paths[0]] {
            _ = try await scene.run(.webPushKeyImport, path, "--project", "my-app")
        }
        #expect(
            scene.store.importedWebPushKeys(of: project.number) == [
                made.publicKey.x963, Base64URL.decode(Self.point),
            ])
        #expect(scene.store.importedWebPushKeys(of: other.number).isEmpty)
        try await scene.store.deleteProject(project.number)
        #expect(scene.store.importedWebPushKeys(of: project.number).isEmpty)
    }

    static let bad: [(name: String, text: String)] = [
        ("nothing", ""), ("a public key", point), ("zero", String(repeating: "A", count: 43)),
        ("beyond the curve's order", String(repeating: "_", count: 42) + "8"), ("one character less", "q1dXpw3UpT5V"),
        ("no base64url", String(repeating: "!", count: 43)), ("JSON without it", "{\"publicKey\":\"\(point)\"}"),
        ("another curve", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
    ]

    @Test(arguments: bad.indices) func `what is no private key is refused`(row: Int) async throws {
        let project = try await scene.project()
        let path = try scene.write(Self.bad[row].text, to: "key")
        let refusal = await scene.refusal(of: .webPushKeyImport, path)
        #expect(refusal?.exitCode == 1, "\(Self.bad[row].name)")
        #expect(scene.store.importedWebPushKeys(of: project.number).isEmpty)
    }

    @Test func `a pair whose halves do not belong together is refused`() async throws {
        _ = try await scene.project()
        let path = try scene.write(Self.scalar, to: "key")
        for other in [try await scene.run(.webPushKeyShow).text, "", "BAAA"] {
            #expect(await scene.refusal(of: .webPushKeyImport, path, "--public-key", other)?.exitCode == 1)
        }
        #expect(await scene.refusal(of: .webPushKeyImport, scene.file("missing")) != nil)
        #expect(await scene.refusal(of: .webPushKeyImport, path, "--project", "my-unknown") != nil)
    }

    @Test func `the configuration of a web app shows it, and that of other apps does not`() async throws {
        _ = try await scene.project()
        let web = try await scene.run(.appCreate, "--platform", "web")
        let apple = try await scene.run(.appCreate, "--platform", "ios", "--bundle-id", "com.example.app")
        let key = try await scene.run(.webPushKeyShow).text
        let configuration = try await scene.run(
            .appConfig, web.json["app_id"]?.string ?? "", "--format", "json")
        #expect(configuration.json["VAPID_KEY"]?.string == key)
        let other = try await scene.run(.appConfig, apple.json["app_id"]?.string ?? "", "--format", "json")
        #expect(other.json["VAPID_KEY"] == nil)
    }
}
