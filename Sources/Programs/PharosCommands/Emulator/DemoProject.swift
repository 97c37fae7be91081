import Bytes
import ConsoleAPI
import Crypto
import JSON
import OAuthAPI
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

/// The project that the emulator has ready: apps, a service account, a server key, an APNs key. What a former start made
/// in the same data directory is used again.
struct DemoProject: Sendable {
    static let defaultID = "demo-pharos"
    static let bundleID = "com.example.pushdemo"
    static let teamID = "DEMOTEAM01"
    private static let keyID = "DEMOKEY001"

    let project: Project
    let apple: App
    let android: App
    let web: App
    /// The legacy server key, in clear: it is in a file of the data directory that only its owner reads.
    let serverKey: String
    let signingKey: P256PrivateKey
    let account: ServiceAccount
    /// The service account's key file, without the address of the token endpoint.
    private let keyFile: ServiceAccountKeyFile

    /// The path of the service account's key file.
    let serviceAccountPath: String
    let plistPath: String

    /// Makes what is missing.
    init(id: String, store: SQLiteStore, dataDirectory: String) async throws(CommandFailure) {
        guard let projectID = ProjectID(id), projectID.isDemo else {
            throw .usage(
                "“\(id)” is no project id of the emulator.",
                nextStep: "Choose one like demo-myapp: the emulator's projects begin with demo-.")
        }
        serviceAccountPath = dataDirectory + "/service-account.json"
        plistPath = dataDirectory + "/GoogleService-Info.plist"
        do {
            let project: Project
            if let existing = store.project(id: projectID) {
                project = existing
            } else {
                project = try await store.createProject(id: projectID, displayName: "Pharos demo")
            }
            self.project = project
            apple = try await Self.app(.ios, of: project, in: store)
            android = try await Self.app(.android, of: project, in: store)
            web = try await Self.app(.web, of: project, in: store)
            signingKey = try await Self.signingKey(of: project, in: store)
            (keyFile, account) = try await Self.serviceAccount(
                of: project, in: store, path: serviceAccountPath)
            serverKey = try await Self.serverKey(of: project, in: store, path: dataDirectory + "/server-key.txt")
        } catch let error as CommandFailure {
            throw error
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .failed("The demo project could not be made: \(error).", nextStep: "Run: pharos doctor")
        }
    }

    private static func app(_ platform: AppPlatform, of project: Project, in store: SQLiteStore) async throws -> App {
        if let app = store.apps(of: project.number).first(where: { $0.id.platform == platform }) { return app }
        return try await store.createApp(
            in: project.number, platform: platform, bundleID: platform == .web ? "" : bundleID,
            displayName: "Push demo")
    }

    private static func signingKey(of project: Project, in store: SQLiteStore) async throws -> P256PrivateKey {
        for credential in store.apnsCredentials(of: project.number) {
            if case .signingKey(let pem, keyID, teamID) = credential.kind { return try P256PrivateKey(pem: pem) }
        }
        let key = try P256PrivateKey.generate()
        _ = try await store.importAPNsCredential(
            .signingKey(pem: key.pem, keyID: keyID, teamID: teamID), project: project.number,
            environments: Set(APNsEnvironment.allCases), bundleIDs: [])
        return key
    }

    private static func serviceAccount(
        of project: Project, in store: SQLiteStore, path: String
    ) async throws -> (ServiceAccountKeyFile, ServiceAccount) {
        if PrivateFile.exists(path), let file = try? ServiceAccountKeyFile(parsing: PrivateFile.read(path)),
            let account = store.serviceAccounts(email: file.email).first(where: { $0.keyID == file.keyID })
        {
            return (file, account)
        }
        let file = try ServiceAccountKeyFile.generate(
            projectID: project.id.text, email: "firebase-adminsdk@\(project.id).iam.gserviceaccount.com",
            tokenURI: "")
        let account = try await store.addServiceAccount(
            email: file.email, in: project.number, keyID: file.keyID, publicKey: file.privateKey.publicKey.der)
        return (file, account)
    }

    private static func serverKey(of project: Project, in store: SQLiteStore, path: String) async throws -> String {
        if PrivateFile.exists(path) {
            let key = String(decoding: try PrivateFile.read(path), as: UTF8.self)
            if store.project(serverKeyHash: SHA256.hash(Array(key.utf8))) != nil { return key }
        }
        let key = ServerKeyText.generate()
        try await store.addServerKey(hash: SHA256.hash(Array(key.utf8)), to: project.number)
        try PrivateFile.write(Array(key.utf8), to: path, mode: 0o600)
        return key
    }

    /// Writes the files that apps and app servers take: their addresses depend on the ports of this start.
    func writeFiles(serverURL: String, directChannel: String?) throws(CommandFailure) {
        let file = ServiceAccountKeyFile(
            projectID: keyFile.projectID, keyID: keyFile.keyID, privateKey: keyFile.privateKey, email: keyFile.email,
            clientID: keyFile.clientID, tokenURI: serverURL + "/token")
        try PrivateFile.write(file.encoded, to: serviceAccountPath, mode: 0o600)
        let plist = AppConfiguration(app: apple, project: project, serverURL: serverURL, directChannel: directChannel)
        try PrivateFile.write(plist.plist, to: plistPath, mode: 0o644)
    }

    /// `kid` of the project's APNs key.
    var signingKeyID: String { Self.keyID }
}
