import Bytes
import Crypto
import HTTPSemantics
import JSON
import Testing
import Timekeeping

@testable import APNsSimulator

@Suite struct `Provider tokens` {
    private func judged(_ bench: inout JudgeBench, _ authorization: String) throws -> RejectionReason? {
        try bench.verdict(headers: [("authorization", authorization)]).reason
    }

    /// A token with any header and claims, signed well.
    private func token(header: JSONObject, claims: JSONObject, inDER: Bool = false) throws -> String {
        let key = try #require(JudgeBench.key)
        let input = Base64URL.encode(header.encoded) + "." + Base64URL.encode(claims.encoded)
        let signature = inDER ? try key.signDER(Array(input.utf8)) : try key.sign(Array(input.utf8))
        return "bearer " + input + "." + Base64URL.encode(signature)
    }

    private static let header: JSONObject = ["alg": "ES256", "kid": .string(Fixture.keyID)]
    private static let claims: JSONObject = [
        "iss": .string(Fixture.teamID), "iat": .integer(JudgeBench.now.seconds),
    ]

    @Test func `of all the forms that libraries send are accepted`() throws {
        var texty = Self.claims
        texty["iat"] = .string(JudgeBench.now.seconds.description)
        texty["kid"] = .string(Fixture.keyID)
        var typed = Self.header
        typed["typ"] = "JWT"
        let tokens = [
            try token(header: Self.header, claims: Self.claims),
            try token(header: typed, claims: texty),
            try token(header: Self.header, claims: Self.claims, inDER: true),
            try token(header: Self.header, claims: Self.claims).replacing("bearer", with: "Bearer"),
        ]
        for token in tokens {
            var bench = JudgeBench()
            #expect(try judged(&bench, token) == nil)
        }
    }

    @Test func `that are malformed are invalid`() throws {
        var other = Self.header
        other["alg"] = "HS256"
        var keyless = Self.header
        keyless["kid"] = nil
        var undated = Self.claims
        undated["iat"] = nil
        var worded = Self.claims
        worded["iat"] = "now"
        var early = Self.claims
        early["iat"] = -5
        var teamless = Self.claims
        teamless["iss"] = nil
        let good = try token(header: Self.header, claims: Self.claims)
        let tokens = [
            "", "bearer", "bearer ", "bearer x", "basic " + good.dropFirst(7), good + ".x", String(good.dropLast(2)),
            "bearer  " + good.dropFirst(7), String(good.prefix(80)), "bearer ..",
            try token(header: other, claims: Self.claims), try token(header: keyless, claims: Self.claims),
            try token(header: Self.header, claims: undated), try token(header: Self.header, claims: worded),
            try token(header: Self.header, claims: early), try token(header: Self.header, claims: teamless),
            "bearer " + String(repeating: "a", count: 5000),
        ]
        for token in tokens {
            var bench = JudgeBench()
            #expect(try judged(&bench, token) == .invalidProviderToken, "\(token)")
        }
    }

    @Test func `of an unknown key, another team or a forged signature are invalid`() throws {
        var bench = JudgeBench()
        #expect(try judged(&bench, bench.providerToken(keyID: "UNKNOWN123")) == .invalidProviderToken)
        #expect(try judged(&bench, bench.providerToken(teamID: "OTHERTEAM1")) == .invalidProviderToken)
        #expect(try judged(&bench, bench.providerToken(key: .generate())) == .invalidProviderToken)
    }

    @Test(
        arguments: [
            (3600, nil), (3601, .expiredProviderToken), (100_000, .expiredProviderToken), (-300, nil),
            (-301, .invalidProviderToken),
        ] as [(Int64, RejectionReason?)])
    func `live for an hour`(age: Int64, reason: RejectionReason?) throws {
        var bench = JudgeBench()
        #expect(try judged(&bench, bench.providerToken(age: age)) == reason)
    }

    @Test func `go on being judged by the clock after they were found genuine`() throws {
        var bench = JudgeBench()
        let token = try bench.providerToken()
        #expect(try judged(&bench, token) == nil)
        bench.now = bench.now.adding(seconds: 3601)
        #expect(try judged(&bench, token) == .expiredProviderToken)
    }

    @Test func `of a revoked key are invalid`() throws {
        var bench = JudgeBench()
        let token = try bench.providerToken()
        #expect(try judged(&bench, token) == nil)
        bench.keys.remove(id: Fixture.keyID)
        #expect(try judged(&bench, token) == .invalidProviderToken)
    }

    @Test func `may not change within 20 minutes on a connection`() throws {
        var bench = JudgeBench()
        let first = try bench.providerToken()
        #expect(try judged(&bench, first) == nil)
        bench.now = bench.now.adding(seconds: 60)
        #expect(try judged(&bench, bench.providerToken()) == .tooManyProviderTokenUpdates)
        #expect(try judged(&bench, first) == nil)
        bench.now = bench.now.adding(seconds: 1140)
        #expect(try judged(&bench, bench.providerToken()) == nil)
        #expect(bench.connection.tokenChanges == 1)
        #expect(bench.connection.distinctTokens == 3)
    }

    @Test func `may change on a young connection when the sender renewed its shared token`() throws {
        var bench = JudgeBench()
        #expect(try judged(&bench, bench.providerToken(age: 2640)) == nil)
        bench.now = bench.now.adding(seconds: 60)
        #expect(try judged(&bench, bench.providerToken()) == nil)
    }

    @Test func `of unknown keys are taken on trust when that is wanted, each for the team that came first`() throws {
        var bench = JudgeBench()
        bench.judge.rules.authentication.trustsUnknownKeys = true
        #expect(
            try judged(&bench, bench.providerToken(key: .generate(), keyID: "NEWKEY1234", teamID: "TEAM000001")) == nil)
        bench.connection = ConnectionIdentity(environment: .sandbox)
        let stolen = try bench.providerToken(key: .generate(), keyID: "NEWKEY1234", teamID: "TEAM000002")
        #expect(try judged(&bench, stolen) == .invalidProviderToken)
        #expect(try judged(&bench, bench.providerToken(key: .generate())) == .invalidProviderToken)
    }
}

@Suite struct `A connection's identity` {
    private static let second = "SECOND1234"

    private func bench(_ key: ProviderKey) -> JudgeBench {
        var bench = JudgeBench()
        bench.keys.register(key)
        return bench
    }

    private func judged(
        _ bench: inout JudgeBench, keyID: String = second, teamID: String = Fixture.teamID
    ) throws -> RejectionReason? {
        let token = try bench.providerToken(keyID: keyID, teamID: teamID)
        return try bench.verdict(headers: [("authorization", token)]).reason
    }

    private func key(
        team: String = Fixture.teamID, scope: ProviderKey.Scope = .team,
        environments: Set<SimulatedEnvironment> = [.sandbox, .production]
    ) -> ProviderKey {
        ProviderKey(
            id: Self.second, teamID: team, publicKey: JudgeBench.key?.publicKey, scope: scope,
            environments: environments)
    }

    @Test func `takes a second team key of the same team`() throws {
        var bench = bench(key())
        #expect(try judged(&bench, keyID: Fixture.keyID) == nil)
        #expect(try judged(&bench) == nil)
    }

    @Test func `refuses another team after the first push, for the reason that is set`() throws {
        var bench = bench(key(team: "OTHERTEAM1"))
        #expect(try judged(&bench, keyID: Fixture.keyID) == nil)
        #expect(try judged(&bench, teamID: "OTHERTEAM1") == .invalidProviderToken)
        bench.judge.rules.authentication.otherTeamReason = .forbidden
        #expect(try judged(&bench, teamID: "OTHERTEAM1") == .forbidden)
    }

    @Test func `is bound by the first accepted push only`() throws {
        var bench = bench(key(team: "OTHERTEAM1"))
        #expect(try bench.verdict(path: "/3/device/zz").reason == .badDeviceToken)
        #expect(try judged(&bench, teamID: "OTHERTEAM1") == nil)
        #expect(bench.connection.teamID == "OTHERTEAM1")
    }

    @Test func `refuses a topic key after a team key`() throws {
        var bench = bench(key(scope: .topics([Fixture.bundleID], relatedKeyID: nil)))
        #expect(try judged(&bench, keyID: Fixture.keyID) == nil)
        #expect(try judged(&bench) == .unrelatedKeyID)
    }

    @Test func `takes the related key after a topic key, and no other`() throws {
        var bench = bench(key(scope: .topics([Fixture.bundleID], relatedKeyID: "THIRD12345")))
        bench.keys.register(
            ProviderKey(id: "THIRD12345", teamID: Fixture.teamID, publicKey: JudgeBench.key?.publicKey))
        #expect(try judged(&bench) == nil)
        #expect(try judged(&bench, keyID: "THIRD12345") == nil)
        #expect(try judged(&bench, keyID: Fixture.keyID) == .unrelatedKeyID)
    }

    @Test func `does not let a topic key send to other topics`() throws {
        var bench = bench(key(scope: .topics(["com.example.other"], relatedKeyID: nil)))
        #expect(try judged(&bench) == .topicDisallowed)
    }

    @Test func `refuses a key of the other environment`() throws {
        var bench = bench(key(environments: [.production]))
        #expect(try judged(&bench) == .badEnvironmentKeyID)
    }
}

@Suite struct `Certificates` {
    private func bench(_ certificate: ClientCertificate) -> JudgeBench {
        var bench = JudgeBench()
        bench.connection = ConnectionIdentity(environment: .sandbox, certificate: certificate)
        return bench
    }

    @Test func `speak for the sender, whatever authorization says`() throws {
        var bench = bench(ClientCertificate(topics: [Fixture.bundleID]))
        #expect(try bench.verdict(headers: [("authorization", nil)]).isAccepted)
        #expect(try bench.verdict(headers: [("authorization", "bearer nonsense")]).isAccepted)
    }

    @Test func `of one topic stand for it, of several need the header`() throws {
        var single = bench(ClientCertificate(topics: [Fixture.bundleID]))
        #expect(try single.verdict(headers: [("apns-topic", nil)]).isAccepted)
        var several = bench(ClientCertificate(topics: [Fixture.bundleID, Fixture.bundleID + ".voip"]))
        #expect(try several.verdict(headers: [("apns-topic", nil)]).reason == .missingTopic)
    }

    @Test func `may not send to other topics, nor location pushes`() throws {
        var other = bench(ClientCertificate(topics: ["com.example.other"]))
        #expect(try other.verdict().reason == .topicDisallowed)
        let topic = Fixture.bundleID + ".location-query"
        var location = bench(ClientCertificate(topics: [topic]))
        let headers: [(String, String?)] = [("apns-push-type", "location"), ("apns-topic", topic)]
        #expect(try location.verdict(headers: headers).reason == .topicDisallowed)
    }

    @Test func `that are revoked or of the other environment are refused`() throws {
        var revoked = bench(ClientCertificate(topics: [Fixture.bundleID], isRevoked: true))
        #expect(try revoked.verdict().reason == .badCertificate)
        #expect(revoked.connection.certificateProblem == .badCertificate)
        var foreign = bench(ClientCertificate(topics: [Fixture.bundleID], environments: [.production]))
        #expect(try foreign.verdict().reason == .badCertificateEnvironment)
        #expect(foreign.connection.certificateProblem == .badCertificateEnvironment)
    }
}
