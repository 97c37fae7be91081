import Bytes
import Crypto
import GoogleAPI
import HTTPSemantics
import JSON
import OAuthAPI
import PushModel
import Testing
import Timekeeping

@Suite struct `The token endpoint` {
    private let world: OAuthWorld

    init() throws {
        world = try OAuthWorld()
    }

    @Test(arguments: ["/token", "/oauth2/v4/token", "/o/oauth2/token"])
    func `exchanges an assertion for a token`(path: String) async throws {
        let form = try "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=\(world.assertion())"
        let response = await world.post(form, path: path)
        let json = try JSONValue(parsing: response.body)
        #expect(response.status == 200)
        #expect(response.fields["content-type"] == "application/json; charset=utf-8")
        #expect(response.fields["cache-control"] == "no-store")
        #expect(json["token_type"] == "Bearer" && json["expires_in"] == 3599)
        let token = try #require(json["access_token"]?.string)
        #expect(token.hasPrefix("ya29."))
        let caller = try world.endpoint.accessTokens.caller(presenting: token)
        #expect(caller.account.email == OAuthWorld.email && caller.scopes == .firebaseMessaging)
    }

    @Test func `takes a JSON body too`() async throws {
        let json: JSONValue = [
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": .string(try world.assertion()),
        ]
        #expect(await world.post(json.text, contentType: "application/json").status == 200)
    }

    static let accepted: [(name: String, changes: JSONObject)] = [
        ("Google's token URL", ["aud": "https://oauth2.googleapis.com/token"]),
        ("its older alias", ["aud": "https://www.googleapis.com/oauth2/v4/token"]),
        ("its oldest alias", ["aud": "https://accounts.google.com/o/oauth2/token"]),
        ("another address of this server", ["aud": "https://127.0.0.1:9600/token"]),
        ("a list of audiences", ["aud": ["https://x.example/", "https://oauth2.googleapis.com/token"]]),
        (
            "the scopes of the Python Admin SDK",
            [
                "scope": """
                https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/datastore \
                https://www.googleapis.com/auth/devstorage.read_write https://www.googleapis.com/auth/firebase \
                https://www.googleapis.com/auth/identitytoolkit https://www.googleapis.com/auth/userinfo.email
                """
            ]
        ),
        ("a clock four minutes ahead", times(240, 3840)), ("a clock an hour behind, nearly", times(-3840, -240)),
        ("a short life", times(0, 60)), ("times as text", ["iat": "1800000000", "exp": "1800003600"]),
        ("times with a fraction", ["iat": 1_800_000_000.75, "exp": 1_800_003_600.5]),
        ("itself as subject", ["sub": .string(OAuthWorld.email)]), ("an empty subject", ["sub": ""]),
        ("an id", ["jti": "x"]),
    ]

    @Test(arguments: accepted.indices) func `takes what clients send`(row: Int) async throws {
        let response = try await world.exchange(world.assertion(Self.accepted[row].changes))
        #expect(response.status == 200, "\(Self.accepted[row].name)")
    }

    static let shortLived = "short-lived token (60 minutes)"
    static let refused: [(name: String, changes: JSONObject, status: Int, error: String, text: String)] = [
        ("unknown account", ["iss": "x@y"], 400, "invalid_grant", "Invalid grant: account not found"),
        ("issuer missing", ["iss": nil], 400, "invalid_grant", "Invalid JWT: The claim iss is missing."),
        ("issuer no text", ["iss": 7], 400, "invalid_grant", "Invalid JWT: The claim iss is missing."),
        ("other audience", ["aud": "https://pubsub.example.com/"], 400, "invalid_grant", "Failed audience check"),
        ("no audience", ["aud": nil], 400, "invalid_grant", "Failed audience check"),
        ("audience no text", ["aud": [1]], 400, "invalid_grant", "Failed audience check"),
        ("two hours behind", times(-7200, -3600), 400, "invalid_grant", shortLived),
        ("ahead of time", times(301, 3900), 400, "invalid_grant", shortLived),
        ("over an hour", times(0, 7200), 400, "invalid_grant", shortLived),
        ("ends before it begins", times(100, 100), 400, "invalid_grant", shortLived),
        ("no iat", ["iat": nil], 400, "invalid_grant", shortLived),
        ("no exp", ["exp": nil], 400, "invalid_grant", shortLived),
        ("iat no number", ["iat": [1]], 400, "invalid_grant", shortLived),
        ("exp beyond all time", ["exp": 9_223_372_036_854_775_807], 400, "invalid_grant", shortLived),
        ("iat before all time", ["iat": -9_223_372_036_854_775_808], 400, "invalid_grant", shortLived),
        ("huge exp", ["exp": 1e300], 400, "invalid_grant", shortLived),
        ("no scope", ["scope": nil], 400, "invalid_scope", "Invalid OAuth scope"),
        ("empty scope", ["scope": " "], 400, "invalid_scope", "Invalid OAuth scope"),
        ("unknown scope", ["scope": "https://www.googleapis.com/auth/drive"], 400, "invalid_scope", "scope"),
        ("another's subject", ["sub": "boss@example.com"], 401, "unauthorized_client", "unauthorized"),
        ("another's subject, old form", ["prn": "boss@example.com"], 401, "unauthorized_client", "unauthorized"),
    ]

    @Test(arguments: refused.indices) func `refuses with the documented error`(row: Int) async throws {
        let (name, changes, status, error, text) = Self.refused[row]
        let response = try await world.exchange(world.assertion(changes))
        expect(response, status, error, text, name)
    }

    @Test func `refuses bad signatures and keys that are gone`() async throws {
        let other = try JWT.encode(OAuthWorld.claims(), keyID: "key1", with: .rs256(try #require(OAuthWorld.otherKey)))
        let good = try world.assertion()
        let unsigned = try #require(good.split(separator: ".").dropLast().joined(separator: ".") + "." as String?)
        let shared = try JWT.encode(OAuthWorld.claims(), keyID: "key1", with: .hs256(Secret([1])))
        let gone = try JWT.encode(OAuthWorld.claims(), keyID: "key0", with: .rs256(try #require(OAuthWorld.otherKey)))
        for assertion in [other, String(good.dropLast(8)) + "AAAAAAAA", unsigned, shared, gone] {
            expect(await world.exchange(assertion), 400, "invalid_grant", "Invalid JWT Signature.", assertion)
        }
    }

    @Test(arguments: [nil, "", "key0", "no such key"])
    func `tries the other keys when the named one does not fit`(keyID: String?) async throws {
        let first = try #require(OAuthWorld.otherKey)
        world.directory.put(OAuthWorld.account(serial: 0, keyID: "key0", publicKey: first.publicKey.der))
        world.directory.put(OAuthWorld.account(serial: -1, keyID: "broken", publicKey: [1, 2, 3]))
        #expect(try await world.exchange(world.assertion(keyID: keyID)).status == 200)
    }

    @Test func `refuses disabled accounts`() async throws {
        let key = try #require(OAuthWorld.key)
        world.directory.put(
            OAuthWorld.account(serial: 1, keyID: "key1", publicKey: key.publicKey.der, isEnabled: false))
        expect(try await world.exchange(world.assertion()), 401, "unauthorized_client", "disabled", "disabled")
    }

    static let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    static let malformed: [(body: String, error: String, text: String)] = [
        ("", "invalid_request", "grant_type"), ("grant_type=", "invalid_request", "grant_type"),
        ("\u{0}&&=%zz", "invalid_request", "grant_type"), (grant, "invalid_request", "assertion"),
        ("\(grant)&assertion=", "invalid_request", "assertion"), ("{", "invalid_request", "JSON"),
        ("{\"grant_type\":7}", "invalid_request", "grant_type"),
        ("grant_type=password&username=x", "unsupported_grant_type", "Invalid grant_type: password"),
        ("grant_type=refresh_token&refresh_token=x&client_id=y&client_secret=z", "invalid_grant", "revoked"),
        ("\(grant)&assertion=abc", "invalid_grant", "three parts"),
        ("\(grant)&assertion=!.!.!", "invalid_grant", "base64url"),
        ("\(grant)&assertion=e30.e30.AA", "invalid_grant", "algorithm"),
        ("\(grant)&assertion=\(String(repeating: "a", count: 9000))", "invalid_grant", "too long"),
    ]

    @Test(arguments: malformed.indices) func `refuses malformed requests`(row: Int) async {
        let (body, error, text) = Self.malformed[row]
        expect(await world.post(body), 400, error, text, body)
    }

    @Test func `answers other methods with the page of the front end`() async {
        let head = HTTPRequestHead(method: "GET", target: "/token")
        #expect(await world.router.respond(to: HTTPRequest(head: head)).status == 404)
    }

    private static func times(_ issued: Int64, _ expires: Int64) -> JSONObject {
        let now = OAuthWorld.now.seconds
        return ["iat": .integer(now + issued), "exp": .integer(now + expires)]
    }

    private func expect(_ response: HTTPResponse, _ status: Int, _ error: String, _ text: String, _ name: String) {
        let json = try? JSONValue(parsing: response.body)
        #expect(response.status == status, "\(name)")
        #expect(json?["error"] == .string(error), "\(name)")
        #expect(json?["error_description"]?.string?.contains(text) == true, "\(name)")
    }
}
