import Accounts
import Bytes
import ConsoleAPI
import Crypto
import Glibc
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import SQLiteStore
import Telemetry
import Timekeeping

/// The console's API over a real store in a temporary directory, with a password hash that costs nothing.
final class ConsoleWorld: Sendable {
    static let password = "correct horse battery"

    let store: SQLiteStore
    let clock = ManualClock(Timestamp(seconds: 1_700_000_000))
    let accounts: Accounts
    let project: Project
    let api: ConsoleAPI
    let router: Router
    private let directory: String

    /// - Parameter extra: Operations of the test, beside those of sessions, users, projects and keys.
    init(extra: [ConsoleEndpoint] = []) async throws {
        directory = "/tmp/pharos-console-" + Hex.encode(SecureRandom.bytes(8))
        store = try SQLiteStore(
            DataDirectory(path: directory), role: .server, options: .init(clock: clock, hash: { SHA256.hash($0) }))
        project = try await store.createProject(id: ProjectID("demo-kitchen")!, displayName: "Kitchen")
        let passwords = PasswordHashing(
            decoy: "", hash: { password async throws(AccountError) in password.reveal() },
            matches: { (password, hash) async throws(AccountError) in password.reveal() == hash })
        let sealing = Sealing(
            key: store.serverSecret, mac: { HMACSHA256.tag(for: $1, key: $0) }, digest: { SHA256.hash($0) },
            isEqual: { ConstantTime.isEqual($0, $1) }, random: { SecureRandom.bytes($0) })
        accounts = Accounts(store: store, clock: clock, passwords: passwords, sealing: sealing)
        let audit = AuditWriter(store: store, clock: clock, logger: .silent)
        let address = PublicAddress(publicURL: nil, httpsPort: 9600, deviceDoor: "127.0.0.1:5228")
        let parts = [
            SessionEndpoints(accounts: accounts, directory: store, audit: audit).part,
            TokenEndpoints(accounts: accounts, clock: clock).part,
            UserEndpoints(accounts: accounts, directory: store).part,
            AuditEndpoints(store: store, directory: store).part,
            ServerEndpoints(version: "1", isEmulator: true, startedAt: clock.now(), doors: [("http", "here")]).part,
            ProjectEndpoints(store: store).part, SenderEndpoints(store: store, address: address).part,
            AppEndpoints(store: store, address: address, webPushKeys: NoKeys()).part,
            APNsKeyEndpoints(store: store, check: { _, _ in [] }, clock: clock).part,
            ConsolePart("Test", endpoints: extra),
        ]
        api = ConsoleAPI(
            accounts: accounts, directory: store, origins: ConsoleOrigins(names: ["push.example.com"]), parts: parts,
            audit: audit)
        router = api.router
    }

    deinit {
        store.close()
        Self.remove(directory)
    }

    private static func remove(_ path: String) {
        if let contents = opendir(path) {
            while let entry = readdir(contents) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(contents)
        }
        Glibc.remove(path)
    }

    /// Somebody with a role in the project, or an administrator of the server.
    func visit(_ role: ConsoleRole? = nil, isAdministrator: Bool = false) async throws -> Caller {
        let name = "user-" + Hex.encode(SecureRandom.bytes(4))
        let user = try await accounts.addUser(
            .init(
                name: name, password: Secret(Self.password), isAdministrator: isAdministrator,
                roles: role.map { [project.number: $0] } ?? [:]))
        let session = try await accounts.signIn(name: name, password: Secret(Self.password), from: "192.0.2.1")
        return Caller(
            router: router, user: user, secret: session.secret, csrf: accounts.forgeryToken(secret: session.secret))
    }

    /// A caller who is not signed in.
    var stranger: Caller { Caller(router: router, user: nil, secret: nil, csrf: nil) }

    private struct NoKeys: WebPushKeys {
        func publicKey(of project: ProjectNumber) -> [UInt8] { [4] }
        func privateKey(of project: ProjectNumber, for publicKey: [UInt8]) -> Secret<String>? { nil }
    }
}

/// One browser.
struct Caller: Sendable {
    let router: Router
    let user: ConsoleUser?
    let secret: String?
    let csrf: String?

    /// - Parameter fields: Added; an empty value takes a field away.
    func call(
        _ method: String, _ path: String, _ body: String? = nil, _ fields: [String: String] = [:],
        authority: String = "127.0.0.1:9599"
    ) async -> HTTPResponse {
        var all: [String: String] = [:]
        if let secret { all["cookie"] = "theme=dark; pharos_session=" + secret }
        if let csrf { all["x-csrf-token"] = csrf }
        if body != nil { all["content-type"] = "application/json" }
        all.merge(fields) { $1 }
        let head = HTTPRequestHead(
            method: method, target: "/console/v1/" + path, authority: authority,
            fields: HTTPFields(all.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) }))
        return await router.respond(
            to: HTTPRequest(head: head, body: Array((body ?? "").utf8), peerAddress: "192.0.2.1"))
    }

    func status(_ method: String, _ path: String, _ body: String? = nil, _ fields: [String: String] = [:]) async -> Int
    {
        await call(method, path, body, fields).status
    }
}

extension HTTPResponse {
    var json: JSONValue? { try? JSONValue(parsing: body) }
    var violatedFields: [String?] {
        (json?["error"]?["details"]?[0]?["fieldViolations"]?.array ?? []).map { $0["field"]?.string }
    }
}
