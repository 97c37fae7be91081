import Bytes
import Crypto
import GoogleAPI
import HTTPSemantics
import JSON
import OAuthAPI
import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

/// A server's token endpoint with one project, its accounts and a clock that stands still.
struct OAuthWorld {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let email = "sender@demo-pharos.iam.gserviceaccount.com"
    static let tokenURL = "http://127.0.0.1:9599/token"

    /// Keys take long to make, so all tests share two.
    static let key: RSAPrivateKey? = try? .generate()
    static let otherKey: RSAPrivateKey? = try? .generate()

    let clock = ManualClock(OAuthWorld.now)
    let directory = AccountDirectory()
    let endpoint: TokenEndpoint
    let router: Router

    init() throws {
        let key = try #require(Self.key)
        directory.put(Self.account(serial: 1, keyID: "key1", publicKey: key.publicKey.der))
        endpoint = TokenEndpoint(
            secret: Secret([UInt8](repeating: 7, count: 32)), directory: directory, clock: clock,
            audiences: OAuthAudiences(serverURLs: ["http://127.0.0.1:9599", "https://127.0.0.1:9600"]))
        var router = Router()
        endpoint.addRoutes(to: &router)
        self.router = router
    }

    static func account(
        serial: Int64, keyID: String, publicKey: [UInt8], email: String = OAuthWorld.email, isEnabled: Bool = true
    ) -> ServiceAccount {
        ServiceAccount(
            serial: serial, email: email, project: ProjectNumber(value: 123_456_789_012), keyID: keyID,
            publicKey: publicKey, isEnabled: isEnabled)
    }

    static func claims(_ changes: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(email), "scope": "https://www.googleapis.com/auth/firebase.messaging",
            "aud": .string(tokenURL), "iat": .integer(now.seconds), "exp": .integer(now.seconds + 3600),
        ]
        for change in changes { claims[change.name] = change.value == .null ? nil : change.value }
        return claims
    }

    func assertion(_ changes: JSONObject = [:], keyID: String? = "key1") throws -> String {
        try JWT.encode(Self.claims(changes), keyID: keyID, with: .rs256(try #require(Self.key)))
    }

    func post(_ body: String, path: String = "/token", contentType: String = "application/x-www-form-urlencoded") async
        -> HTTPResponse
    {
        let head = HTTPRequestHead(
            method: "POST", target: path, authority: "oauth2.googleapis.com",
            fields: HTTPFields([("content-type", contentType)]))
        return await router.respond(to: HTTPRequest(head: head, body: Array(body.utf8)))
    }

    func exchange(_ assertion: String) async -> HTTPResponse {
        await post("assertion=\(assertion)&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer")
    }

    func accessToken(_ changes: JSONObject = [:]) async throws -> String {
        let response = try await exchange(assertion(changes))
        return try #require(JSONValue(parsing: response.body)["access_token"]?.string)
    }
}

final class AccountDirectory: ProjectDirectory {
    private let accounts = Mutex<[Int64: ServiceAccount]>([:])

    func put(_ account: ServiceAccount) {
        accounts.withLock { $0[account.serial] = account }
    }

    func remove(serial: Int64) {
        accounts.withLock { $0[serial] = nil }
    }

    func serviceAccounts(email: String) -> [ServiceAccount] {
        accounts.withLock { $0.values.filter { $0.email == email }.sorted { $0.serial < $1.serial } }
    }

    func serviceAccount(serial: Int64) -> ServiceAccount? {
        accounts.withLock { $0[serial] }
    }

    func project(id: ProjectID) -> Project? { nil }
    func project(number: ProjectNumber) -> Project? { nil }
    func app(id: AppID) -> App? { nil }
    func app(apiKey: String) -> App? { nil }
    func apps(of project: ProjectNumber) -> [App] { [] }
    func project(serverKeyHash hash: [UInt8]) -> Project? { nil }
    func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] { [] }
}
