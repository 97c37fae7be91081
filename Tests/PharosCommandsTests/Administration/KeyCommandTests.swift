import Bytes
import Crypto
import Glibc
import JSON
import OAuthAPI
import PushCore
import PushModel
import SQLiteStore
import Testing
import Timekeeping

@testable import PharosCommands

@Suite struct `Commands for keys` {
    let scene: AdministrationScene

    init() throws {
        scene = try AdministrationScene()
    }

    @Test func `a service account's file opens the door, and is written once`() async throws {
        let project = try await scene.project()
        let path = scene.file("account.json")
        let report = try await scene.run(
            .serviceAccountCreate, "--server", "https://push.example.com/", "--out", path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let bytes = try PrivateFile.read(path)
        let file = try ServiceAccountKeyFile(parsing: bytes)
        #expect(file.tokenURI == "https://push.example.com/token")
        #expect(file.projectID == "my-app")
        #expect(file.email == "firebase-adminsdk@my-app.iam.gserviceaccount.com")
        let key = try JSONValue(parsing: bytes)["private_key"]?.string
        #expect(key?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
        #expect(key?.hasSuffix("-----END PRIVATE KEY-----\n") == true)
        let account = try #require(scene.store.serviceAccounts(email: file.email).first)
        #expect(account.publicKey == file.privateKey.publicKey.der)
        #expect(account.keyID == file.keyID)
        #expect(account.project == project.number)
        #expect(report.json["key_id"]?.string == file.keyID)
        #expect(await scene.refusal(of: .serviceAccountCreate, "--out", path)?.nextStep.contains("--out") == true)
        _ = try await scene.run(.serviceAccountDisable, file.keyID)
        #expect(scene.store.serviceAccount(serial: account.serial)?.isEnabled == false)
        _ = try await scene.run(.serviceAccountEnable, file.keyID)
        #expect(scene.store.serviceAccount(serial: account.serial)?.isEnabled == true)
        #expect(await scene.refusal(of: .serviceAccountDisable, "nothing")?.exitCode == 1)
        for name in ["", "A", "a b", "a@b", String(repeating: "a", count: 65)] {
            let words = ["--account", name, "--out", scene.file("other.json")]
            #expect(await scene.refusal(of: .serviceAccountCreate, words[0], words[1], words[2], words[3]) != nil)
        }
    }

    @Test func `a server key has the old form, and its hash alone is kept`() async throws {
        let project = try await scene.project()
        let report = try await scene.run(.serverKeyCreate)
        let key = report.text
        #expect(key.wholeMatch(of: /AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{134}/) != nil)
        #expect(key.utf8.count == 152)
        #expect(report.json["server_key"]?.string == key)
        #expect(scene.store.project(serverKeyHash: SHA256.hash(Array(key.utf8))) == project)
        #expect(try await scene.run(.projectShow, "my-app").json["server_keys"] == 1)
        #expect(try await scene.run(.serverKeyCreate).text != key)
    }

    /// A .p8 text, changed as people change it on the way.
    static let shapes: [(name: String, change: @Sendable (String) -> String)] = [
        ("unchanged", { $0 }), ("CRLF line ends", { $0.replacing("\n", with: "\r\n") }),
        ("one line with \\n", { $0.replacing("\n", with: "\\n") }),
        ("bare base64", { $0.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined(separator: "\n") }),
        ("blank line and trailing spaces", { "\n" + $0.replacing("\n", with: "   \n") }),
        ("in quotes", { "\"" + $0 + "\"" }),
    ]
    @Test(arguments: shapes.map(\.name)) func `a .p8 key is read in any shape`(shape: String) async throws {
        let project = try await scene.project()
        let change = try #require(Self.shapes.first { $0.name == shape }?.change)
        let key = try P256PrivateKey.generate()
        let path = try scene.write(change(key.pem), to: "AuthKey_ABCDE12345.p8")
        let report = try await scene.run(.apnsKeyImport, path, "--team-id", "TEAM123456")
        #expect(report.json["environments"] == ["production", "sandbox"])
        let kind = APNsCredential.Kind.signingKey(pem: key.pem, keyID: "ABCDE12345", teamID: "TEAM123456")
        #expect(scene.store.apnsCredentials(of: project.number).map(\.kind) == [kind])
    }

    @Test func `what APNs would refuse is refused at once`() async throws {
        _ = try await scene.project()
        let key = try scene.write(try P256PrivateKey.generate().pem, to: "key.p8")
        let rsa = try scene.write(try RSAPrivateKey.generate().pem, to: "AuthKey_ABCDE12345.p8")
        let certificate = try scene.write(try identity().certificatePEM, to: "certificate.pem")
        let noise = try scene.write("not a key", to: "noise.p8")
        let team = ["--team-id", "TEAM123456"]
        let rows: [(words: [String], says: String)] = [
            ([key] + team, "--key-id is needed"), ([key, "--key-id", "ABCDE12345"], "--team-id is needed"),
            ([key, "--key-id", "abcde12345"] + team, "10 capital letters"),
            ([key, "--key-id", "ABCDE1234"] + team, "10 capital letters"),
            ([key, "--key-id", "ABCDE12345", "--team-id", "Team 12345"], "10 capital letters"),
            ([key, "--key-id", "ABCDE12345", "--environment", "development"] + team, "no environment"),
            ([rsa] + team, "RSA"), ([certificate], "certificate, not a private key"), ([noise] + team, "noise.p8"),
            ([scene.file("missing")], "Cannot read"), ([certificate, "--key", key], "does not belong"),
        ]
        for row in rows {
            let arguments = try CommandArguments(
                row.words, of: AdministrationCommand.apnsKeyImport.command, environment: { _ in nil })
            let failure = await #expect(throws: CommandFailure.self) {
                try await AdministrationCommand.apnsKeyImport.work(scene.administration, arguments)
            }
            #expect(failure?.message.contains(row.says) == true, "\(failure?.message ?? "")")
            #expect(failure?.nextStep.isEmpty == false)
        }
        #expect(try await scene.run(.projectShow, "my-app").json["apns_credentials"] == [])
    }

    @Test func `a certificate serves the apps and the environment that it names`() async throws {
        let project = try await scene.project()
        let identity = try identity(environment: .applePushDevelopment)
        let both = try scene.write(identity.certificatePEM + identity.keyPEM, to: "both.pem")
        _ = try await scene.run(.apnsKeyImport, both)
        let credential = try #require(scene.store.apnsCredentials(of: project.number).first)
        #expect(credential.environments == [.sandbox])
        #expect(credential.bundleIDs == ["com.example.app"])
        #expect(
            credential.kind == .certificate(chainPEM: identity.certificatePEM, keyPEM: identity.keyPEM))
        #expect(await scene.refusal(of: .apnsKeyImport, both, "--environment", "production")?.exitCode == 1)
        #expect(await scene.refusal(of: .apnsKeyImport, both, "--bundle-id", "com.example.other")?.exitCode == 1)
        let certificate = try scene.write(identity.certificatePEM, to: "certificate.pem")
        let key = try scene.write(identity.keyPEM, to: "key.pem")
        _ = try await scene.run(
            .apnsKeyImport, certificate, "--key", key, "--environment", "sandbox", "--bundle-id", "com.example.app")
        let serial = try #require(scene.store.apnsCredentials(of: project.number).first?.serial)
        #expect(serial > credential.serial)
        _ = try await scene.run(.apnsKeyRemove, "\(serial)")
        #expect(scene.store.apnsCredentials(of: project.number).isEmpty)
        #expect(await scene.refusal(of: .apnsKeyRemove, "\(serial)")?.exitCode == 1)
        #expect(await scene.refusal(of: .apnsKeyRemove, "first")?.exitCode == 2)
    }

    @Test func `a certificate whose time is over is refused`() async throws {
        _ = try await scene.project()
        let old = try identity(from: 1_000_000_000, to: 1_100_000_000)
        let path = try scene.write(old.certificatePEM + old.keyPEM, to: "old.pem")
        #expect(await scene.refusal(of: .apnsKeyImport, path)?.message.contains("not valid today") == true)
    }

    @Test func `a backup is made of everything`() async throws {
        let project = try await scene.project()
        let path = scene.file("backup")
        _ = try await scene.run(.backup, path)
        #expect(await scene.refusal(of: .backup, path)?.message == "\(path) exists. Name a new directory.")
        let copy = try Administration(dataDirectory: path, makesDirectory: false)
        defer { copy.store.close() }
        #expect(copy.store.project(id: project.id) == project)
    }

    private func identity(
        environment: ASN1Identifier? = nil, from start: Int64 = 0, to end: Int64 = 4_000_000_000
    ) throws -> CertifiedKey {
        let validity = Timestamp(seconds: start)...Timestamp(seconds: end)
        let authority = try CertificateAuthority.generate(
            name: "Test CA", validity: validity)
        var extensions = [ApplePushTopics([.init(name: "com.example.app", kinds: ["app"])]).certificateExtension]
        if let environment { extensions.append(.init(environment, value: [5, 0])) }
        return try authority.issueClient(
            subject: DistinguishedName(commonName: "Apple Push Services: com.example.app"), validity: validity,
            extensions: extensions)
    }
}
