import Bytes
import Crypto
import GoogleAPI
import OAuthAPI
import PharosCommands
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

/// A data directory with one project, made without going through the service's doors, so that a million devices take
/// seconds. The project is a `demo-` one: nothing of it leaves the machine.
struct BenchWorld {
    static let projectID = "demo-bench"
    static let bundleID = "com.example.bench"
    private static let keyID = "BENCHKEY01"
    private static let teamID = "BENCHTEAM1"

    let store: SQLiteStore
    let project: Project
    let app: App
    let tokens: RegistrationTokenCodec
    let clock = SystemClock()

    /// Opens the directory, and makes what is missing of project, app and APNs key.
    init(directory: String) async throws {
        store = try SQLiteStore(
            DataDirectory(path: directory), role: .server, options: .init(clock: clock, hash: { SHA256.hash($0) }))
        tokens = RegistrationTokenCodec(sealing: .openSSL(secret: store.serverSecret))
        guard let id = ProjectID(Self.projectID) else { throw BenchFailure.failed("The project id is none.") }
        if let known = store.project(id: id), let app = store.apps(of: known.number).first {
            (project, self.app) = (known, app)
            return
        }
        project = try await store.createProject(id: id, displayName: "Benchmarks")
        app = try await store.createApp(
            in: project.number, platform: .ios, bundleID: Self.bundleID, displayName: "Bench")
        let key = try P256PrivateKey.generate()
        _ = try await store.importAPNsCredential(
            .signingKey(pem: key.pem, keyID: Self.keyID, teamID: Self.teamID), project: project.number,
            environments: Set(APNsEnvironment.allCases), bundleIDs: [])
    }

    /// A service account: its key file, and an access token that is good for an hour. And a server key.
    func makeAccount(tokenURI: String) async throws -> (keyFile: [UInt8], accessToken: String, serverKey: String) {
        let file = try ServiceAccountKeyFile.generate(
            projectID: project.id.text, email: "bench@\(project.id).iam.gserviceaccount.com", tokenURI: tokenURI)
        let account = try await store.addServiceAccount(
            email: file.email, in: project.number, keyID: file.keyID, publicKey: file.privateKey.publicKey.der)
        let issuer = AccessTokens(
            secret: Secret(store.serverSecret), directory: store, clock: clock,
            audiences: OAuthAudiences(serverURLs: []))
        let key = "AAAAbench:APA91b" + Hex.encode(SQLiteStore.systemRandomBytes(32))
        try await store.addServerKey(hash: SHA256.hash(Array(key.utf8)), to: project.number)
        return (file.encoded, issuer.issue(to: account, scopes: .messaging).text, key)
    }

    /// A message for one device, about as large as the ones that app servers send.
    func message(_ number: Int64, to registration: Registration) -> ValidatedMessage {
        let now = clock.now()
        return ValidatedMessage(
            id: MessageID(value: now.milliseconds * 1000 + number), project: project,
            target: .token(tokens.token(of: registration)), message: Self.content, acceptedAt: now,
            expiresAt: now.adding(seconds: 86_400))
    }

    static let content = Message(
        data: [.init(key: "score", value: "3:1"), .init(key: "match", value: "2026-06-11-mex-rsa")],
        notification: .init(title: "Goal!", body: "Three to one after eighty minutes."))
}
