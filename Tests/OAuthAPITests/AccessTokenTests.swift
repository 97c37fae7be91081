import Bytes
import Crypto
import GoogleAPI
import HTTPSemantics
import JSON
import OAuthAPI
import PushModel
import Testing
import Timekeeping

@Suite struct `Access tokens` {
    private let world: OAuthWorld

    init() throws {
        world = try OAuthWorld()
    }

    private func caller(_ token: String) throws(AccessTokenError) -> Caller {
        try world.endpoint.accessTokens.caller(presenting: token)
    }

    @Test func `live for an hour`() async throws {
        let token = try await world.accessToken()
        world.clock.set(OAuthWorld.now.adding(seconds: 3599))
        #expect(try caller(token).account.serial == 1)
        world.clock.set(OAuthWorld.now.adding(seconds: 3600))
        #expect(throws: AccessTokenError.expired) { try caller(token) }
    }

    @Test func `die with their account`() async throws {
        let token = try await world.accessToken()
        let key = try #require(OAuthWorld.key).publicKey.der
        world.directory.put(OAuthWorld.account(serial: 1, keyID: "key1", publicKey: key, isEnabled: false))
        #expect(throws: AccessTokenError.invalid) { try caller(token) }
        world.directory.remove(serial: 1)
        #expect(throws: AccessTokenError.invalid) { try caller(token) }
    }

    @Test func `are good on every node with the same secret and on no other`() async throws {
        let token = try await world.accessToken()
        func tokens(_ secret: UInt8) -> AccessTokens {
            AccessTokens(
                secret: Secret([UInt8](repeating: secret, count: 32)), directory: world.directory, clock: world.clock,
                audiences: OAuthAudiences(serverURLs: []))
        }
        #expect(try tokens(7).caller(presenting: token).account.serial == 1)
        #expect(throws: AccessTokenError.invalid) { try tokens(8).caller(presenting: token) }
    }

    @Test func `cannot be changed by one character`() async throws {
        let token = Array(try await world.accessToken().utf8)
        for place in token.indices {
            var changed = token
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: AccessTokenError.invalid) { try caller(String(decoding: changed, as: UTF8.self)) }
        }
    }

    @Test(arguments: [
        "", "ya29.", "ya29.AAAA", "ya29", "x", "a.b.c", "..", "Bearer", String(repeating: "a", count: 100_000),
        "ya29." + String(repeating: "A", count: 79), "ya29." + String(repeating: "A", count: 100_000),
    ]) func `of other forms are refused`(token: String) {
        #expect(throws: AccessTokenError.invalid) { try caller(token) }
    }

    @Test func `signed by the account itself are taken`() throws {
        let scoped = try world.assertion(["sub": .string(OAuthWorld.email), "aud": nil])
        for _ in 0..<2 {
            #expect(try caller(scoped).scopes == .firebaseMessaging)
        }
        let old = try world.assertion(["aud": "https://fcm.googleapis.com/", "scope": nil])
        #expect(try caller(old).scopes == .messaging)
        world.clock.set(OAuthWorld.now.adding(seconds: 4000))
        #expect(throws: AccessTokenError.expired) { try caller(scoped) }
        world.clock.set(OAuthWorld.now)
        world.directory.remove(serial: 1)
        #expect(throws: AccessTokenError.invalid) { try caller(scoped) }
    }

    static let refused: [(name: String, changes: JSONObject)] = [
        ("for another service", ["aud": "https://pubsub.example.com/"]), ("for the token endpoint", [:]),
        ("for nothing", ["aud": nil, "scope": nil]), ("by somebody else", ["aud": nil, "iss": "x@y"]),
        ("for somebody else", ["aud": nil, "sub": "x@y"]), ("without an end", ["aud": nil, "exp": nil]),
        ("for a day", ["aud": nil, "exp": .integer(OAuthWorld.now.seconds + 86_400)]),
    ]

    @Test(arguments: refused.indices) func `signed by the account itself are refused when they are not for us`(
        row: Int
    ) throws {
        #expect(throws: AccessTokenError.invalid) { try caller(world.assertion(Self.refused[row].changes)) }
    }

    @Test func `signed with another key are refused`() throws {
        let key = try #require(OAuthWorld.otherKey)
        let token = try JWT.encode(OAuthWorld.claims(["aud": nil]), keyID: "key1", with: .rs256(key))
        #expect(throws: AccessTokenError.invalid) { try caller(token) }
    }

    @Test func `carry their scopes to the check`() async throws {
        let authentication = CallerAuthentication(verifier: world.endpoint.accessTokens)
        let token = try await world.accessToken(["scope": "https://www.googleapis.com/auth/userinfo.email"])
        let operation = GoogleError.Operation(service: "fcm.googleapis.com", method: "m")
        let error = #expect(throws: GoogleError.self) {
            try authentication.caller(
                of: .init(method: "GET", target: "/?access_token=\(token)"), for: operation)
        }
        #expect(error?.httpStatus == 403 && error?.message == "Request had insufficient authentication scopes.")
    }
}
