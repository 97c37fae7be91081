import Crypto
import EventLoop
import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import APNsGateway

@Suite struct `Provider token policy` {
    private static let start = Timestamp(seconds: 1_700_000_000)

    private static func issued() -> ProviderTokenPolicy {
        var policy = ProviderTokenPolicy()
        policy.issued(at: seconds(0), wall: start)
        return policy
    }

    private static func seconds(_ seconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: seconds * 1_000_000_000)
    }

    static let ages: [(String, monotonic: Int64, wall: Int64, isDue: Bool)] = [
        ("fresh", 0, 0, false), ("20 minutes", 1_200, 1_200, false), ("44 minutes", 2_640, 2_640, false),
        ("45 minutes", 2_700, 2_700, true), ("clock stands still", 2_700, 0, true),
        ("clock set back two hours", 60, -7_140, true), ("clock set back a little", 60, 10, false),
        ("clock ahead two hours", 60, 7_260, true), ("clock set back, long ago", 2_700, -4_500, true),
    ]

    @Test(arguments: ages) func `renews by age`(
        row: (name: String, monotonic: Int64, wall: Int64, isDue: Bool)
    ) {
        let policy = Self.issued()
        let wall = Timestamp(seconds: Self.start.seconds + row.wall)
        #expect(policy.isDue(at: Self.seconds(row.monotonic), wall: wall) == row.isDue)
    }

    @Test func `is due before the first token`() {
        #expect(ProviderTokenPolicy().isDue(at: Self.seconds(0), wall: Self.start))
    }

    @Test func `renews a refused token only if it is the current one`() {
        var policy = Self.issued()
        let renewed = policy.refused(generation: 1, at: Self.seconds(1))
        #expect(renewed && policy.isDue(at: Self.seconds(1), wall: Self.start))
        policy.issued(at: Self.seconds(1), wall: Self.start)
        let renewedAgain = policy.refused(generation: 1, at: Self.seconds(1))
        #expect(!renewedAgain && !policy.isDue(at: Self.seconds(1), wall: Self.start))
    }

    @Test func `stops renewing when new tokens expire too`() {
        var policy = Self.issued()
        var renewals = 0
        for second in 0..<Int64(50) where policy.refused(generation: policy.generation, at: Self.seconds(second)) {
            renewals += 1
            policy.issued(at: Self.seconds(second), wall: Self.start)
        }
        #expect(renewals == 3)
        let renewsLater = policy.refused(generation: policy.generation, at: Self.seconds(120))
        #expect(renewsLater)
    }

    @Test func `gives everyone the same token and a new one after 45 minutes`() throws {
        let clock = ManualClock(Self.start)
        let key = try P256PrivateKey.generate()
        let token = try ProviderToken(pem: key.pem, keyID: "KEYID00001", teamID: "TEAMID0001", clock: clock)
        let first = try token.current(at: Self.seconds(0))
        #expect(try token.current(at: Self.seconds(1_300)) == first)
        clock.set(Timestamp(seconds: Self.start.seconds + 2_700))
        let second = try token.current(at: Self.seconds(2_700))
        #expect(second.generation == 2 && second.authorization != first.authorization)
        let jwt = try JWT(parsing: String(second.authorization.dropFirst("bearer ".count)))
        #expect(jwt.isSigned(for: .es256(key.publicKey)) && jwt.keyID == "KEYID00001")
        #expect(jwt.claims["iss"]?.string == "TEAMID0001" && jwt.claims["iat"]?.int64 == Self.start.seconds + 2_700)
    }
}

@Suite struct `Rules for answers of APNs` {
    struct Row: Sendable {
        var status: Int
        var reason: String
        var resends = false
        var replaces = false
        var renews = false
        var productive = true
        var refusal = false
    }

    static let rows = [
        Row(status: 200, reason: ""), Row(status: 400, reason: "BadDeviceToken"),
        Row(status: 400, reason: "PayloadEmpty"), Row(status: 404, reason: "BadPath"),
        Row(status: 410, reason: "Unregistered"), Row(status: 413, reason: "PayloadTooLarge"),
        Row(status: 429, reason: "TooManyRequests"),
        Row(status: 400, reason: "IdleTimeout", resends: true, replaces: true, productive: false),
        Row(
            status: 403, reason: "ExpiredProviderToken", resends: true, replaces: true, renews: true,
            productive: false),
        Row(status: 403, reason: "InvalidProviderToken", productive: false, refusal: true),
        Row(status: 403, reason: "BadEnvironmentKeyInToken", productive: false, refusal: true),
        Row(status: 403, reason: "", productive: false, refusal: true),
        Row(status: 403, reason: "UnrelatedKeyIdInToken", resends: true, replaces: true, productive: false),
        Row(status: 429, reason: "TooManyProviderTokenUpdates", resends: true, replaces: true, productive: false),
        Row(status: 500, reason: "InternalServerError", replaces: true, productive: false),
        Row(status: 503, reason: "ServiceUnavailable", productive: false),
        Row(status: 503, reason: "Shutdown", resends: true, replaces: true, productive: false),
    ]

    @Test(arguments: rows) func `decide over request, connection and token`(row: Row) {
        let rules = APNsAnswerRules(APNsAnswer(status: row.status, reason: row.reason), resends: 0)
        #expect(rules.resends == row.resends && rules.replacesConnection == row.replaces)
        #expect(rules.renewsToken == row.renews && rules.isProductive == row.productive)
        #expect(rules.isRefusalOfCredential == row.refusal)
        #expect(!APNsAnswerRules(APNsAnswer(status: row.status, reason: row.reason), resends: 3).resends)
    }
}

@Suite struct `Pauses of the gateway` {
    private static func seconds(_ seconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func `grow from one second to sixty between connects that fail`() {
        var backOff = ConnectBackOff(
            BackOff(firstMilliseconds: 1_000, longestMilliseconds: 60_000) { $0.upperBound })
        #expect(backOff.remaining(at: Self.seconds(0)) == .zero)
        for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
            backOff.connectFailed(at: Self.seconds(0))
            #expect(backOff.remaining(at: Self.seconds(0)) == .seconds(expected))
        }
        #expect(backOff.isUnreachable)
        backOff.connected()
        #expect(!backOff.isUnreachable)
    }

    @Test func `let the first successor of an unproductive connection come at once`() {
        var backOff = ConnectBackOff(
            BackOff(firstMilliseconds: 1_000, longestMilliseconds: 60_000) { $0.upperBound })
        backOff.connectionWasUnproductive(at: Self.seconds(0))
        #expect(backOff.remaining(at: Self.seconds(0)) == .zero)
        backOff.connectionWasUnproductive(at: Self.seconds(0))
        #expect(backOff.remaining(at: Self.seconds(0)) == .seconds(1))
        backOff.wasProductive()
        #expect(backOff.remaining(at: Self.seconds(0)) == .zero)
    }

    @Test func `stop a credential that is refused over and over, and try it again later`() {
        var breaker = CredentialBreaker()
        let answer = APNsAnswer(status: 403, reason: "InvalidProviderToken")
        for _ in 0..<9 { breaker.refused(answer, at: Self.seconds(0)) }
        #expect(breaker.refusal(at: Self.seconds(0)) == nil)
        breaker.refused(answer, at: Self.seconds(0))
        #expect(breaker.refusal(at: Self.seconds(9)) == answer)
        #expect(breaker.refusal(at: Self.seconds(10)) == nil)
        breaker.letThrough(at: Self.seconds(10))
        #expect(breaker.refusal(at: Self.seconds(10)) == answer)
        breaker.refused(answer, at: Self.seconds(11))
        #expect(breaker.refusal(at: Self.seconds(30)) == answer)
        #expect(breaker.refusal(at: Self.seconds(31)) == nil)
        breaker.accepted()
        breaker.refused(answer, at: Self.seconds(40))
        #expect(breaker.refusal(at: Self.seconds(40)) == nil)
    }
}

@Suite struct `APNs endpoint` {
    @Test(arguments: ["localhost", "127.0.0.1", "127.9.9.9", "::1", "LOCALHOST"])
    func `knows this machine`(host: String) {
        #expect(APNsEndpoint(host: host, port: 1).isOnThisMachine)
    }

    @Test(arguments: [
        "api.push.apple.com", "127.0.0.1.example.com", "128.0.0.1", "10.0.0.1", "127.0.0", "localhost.example.com",
        "0.0.0.0", "", "127.0.0.256",
    ])
    func `takes nothing else for this machine`(host: String) {
        #expect(!APNsEndpoint(host: host, port: 1).isOnThisMachine)
    }

    @Test func `names itself`() {
        #expect(APNsEndpoint.production.authority == "api.push.apple.com")
        #expect(APNsEndpoint(host: "127.0.0.1", port: 2197).authority == "127.0.0.1:2197")
        #expect(APNsEndpoint(host: "::1", port: 443).authority == "[::1]")
    }
}
