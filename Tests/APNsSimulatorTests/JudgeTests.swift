import HTTPSemantics
import Testing
import Timekeeping

@testable import APNsSimulator

/// One request and what the service says to it; `nil` is 200.
struct JudgeRow: CustomTestStringConvertible, Sendable {
    let name: String
    var method = "POST"
    var path = "/3/device/" + JudgeBench.liveToken
    var headers: [(String, String?)] = []
    var body = Fixture.payload
    let reason: RejectionReason?

    init(
        _ name: String, method: String = "POST", path: String = "/3/device/" + JudgeBench.liveToken,
        headers: [(String, String?)] = [], body: [UInt8] = Fixture.payload, _ reason: RejectionReason?
    ) {
        (self.name, self.method, self.path, self.headers, self.body, self.reason) =
            (name, method, path, headers, body, reason)
    }

    var testDescription: String { name }
}

@Suite struct `The judge` {
    static let bad = [
        JudgeRow("GET", method: "GET", .methodNotAllowed),
        JudgeRow("method in lower case", method: "post", .methodNotAllowed),
        JudgeRow("another path", path: "/4/device/aa", .badPath),
        JudgeRow("root", path: "/", .badPath),
        JudgeRow("a segment after the token", path: "/3/device/aa/bb", .badPath),
        JudgeRow("no authorization", headers: [("authorization", nil)], .missingProviderToken),
        JudgeRow("no token in the path", path: "/3/device/", .missingDeviceToken),
        JudgeRow("no slash after device", path: "/3/device", .missingDeviceToken),
        JudgeRow("apns-id without hyphens", headers: [("apns-id", "7a9c1f0e3b524d8a9c110a1b2c3d4e5f")], .badMessageID),
        JudgeRow(
            "apns-id with a letter beyond f", headers: [("apns-id", "7a9c1f0e-3b52-4d8a-9c11-0a1b2c3d4e5g")],
            .badMessageID),
        JudgeRow("empty apns-id", headers: [("apns-id", "")], .badMessageID),
        JudgeRow("expiration in words", headers: [("apns-expiration", "tomorrow")], .badExpirationDate),
        JudgeRow("negative expiration", headers: [("apns-expiration", "-1")], .badExpirationDate),
        JudgeRow(
            "expiration beyond 64 bits", headers: [("apns-expiration", "99999999999999999999")], .badExpirationDate),
        JudgeRow("priority 0", headers: [("apns-priority", "0")], .badPriority),
        JudgeRow("priority 7", headers: [("apns-priority", "7")], .badPriority),
        JudgeRow("priority high", headers: [("apns-priority", "high")], .badPriority),
        JudgeRow(
            "background with priority 10", headers: [("apns-push-type", "background"), ("apns-priority", "10")],
            .badPriority),
        JudgeRow("unknown push type", headers: [("apns-push-type", "shout")], .invalidPushType),
        JudgeRow("push type in capitals", headers: [("apns-push-type", "ALERT")], .invalidPushType),
        JudgeRow(
            "collapse id of 65 bytes", headers: [("apns-collapse-id", String(repeating: "x", count: 65))],
            .badCollapseID),
        JudgeRow(
            "collapse id of 33 letters of two bytes",
            headers: [("apns-collapse-id", String(repeating: "é", count: 33))], .badCollapseID),
        JudgeRow("no topic", headers: [("apns-topic", nil)], .missingTopic),
        JudgeRow("empty topic", headers: [("apns-topic", "")], .missingTopic),
        JudgeRow("topic with a space", headers: [("apns-topic", "com.example push")], .badTopic),
        JudgeRow("VoIP push to the app's topic", headers: [("apns-push-type", "voip")], .badTopic),
        JudgeRow(
            "topic that is nothing but a suffix", headers: [("apns-push-type", "voip"), ("apns-topic", ".voip")],
            .badTopic),
        JudgeRow("mdm with a provider token", headers: [("apns-push-type", "mdm")], .topicDisallowed),
        JudgeRow("no body", body: [], .payloadEmpty),
        JudgeRow("body that is no JSON", body: Array("hello".utf8), .payloadEmpty),
        JudgeRow("body that is a JSON list", body: Array("[]".utf8), .payloadEmpty),
        JudgeRow("body of 4097 bytes", body: payload(bytes: 4097), .payloadTooLarge),
        JudgeRow(
            "device token with a letter beyond f", path: "/3/device/zz" + JudgeBench.liveToken.dropFirst(2),
            .badDeviceToken),
        JudgeRow("device token of odd length", path: "/3/device/abc", .badDeviceToken),
        JudgeRow("device token nobody has", path: "/3/device/" + String(repeating: "99", count: 32), .badDeviceToken),
        JudgeRow(
            "device token of the other environment", path: "/3/device/" + JudgeBench.productionToken, .badDeviceToken),
        JudgeRow("topic of another app", headers: [("apns-topic", "com.example.other")], .deviceTokenNotForTopic),
        JudgeRow(
            "the app's topic for its VoIP token", path: "/3/device/" + JudgeBench.voipToken, .deviceTokenNotForTopic),
        JudgeRow("removed app", path: "/3/device/" + JudgeBench.deadToken, .unregistered),
        JudgeRow("expired device token", path: "/3/device/" + JudgeBench.expiredToken, .expiredToken),
    ]

    static let good = [
        JudgeRow("as it is", nil),
        JudgeRow("capital hexadecimal", path: "/3/device/" + JudgeBench.liveToken.uppercased(), nil),
        JudgeRow("apns-id in lower case", headers: [("apns-id", "7a9c1f0e-3b52-4d8a-9c11-0a1b2c3d4e5f")], nil),
        JudgeRow("apns-id in capitals", headers: [("apns-id", "7A9C1F0E-3B52-4D8A-9C11-0A1B2C3D4E5F")], nil),
        JudgeRow("expiration 0", headers: [("apns-expiration", "0")], nil),
        JudgeRow("expiration in the past", headers: [("apns-expiration", "1")], nil),
        JudgeRow("expiration in the future", headers: [("apns-expiration", "1900000000")], nil),
        JudgeRow("priority 10", headers: [("apns-priority", "10")], nil),
        JudgeRow("priority 5", headers: [("apns-priority", "5")], nil),
        JudgeRow("priority 1", headers: [("apns-priority", "1")], nil),
        JudgeRow(
            "background with priority 5", headers: [("apns-push-type", "background"), ("apns-priority", "5")], nil),
        JudgeRow("background without priority", headers: [("apns-push-type", "background")], nil),
        JudgeRow("no push type", headers: [("apns-push-type", nil)], nil),
        JudgeRow("collapse id of 64 bytes", headers: [("apns-collapse-id", String(repeating: "x", count: 64))], nil),
        JudgeRow("body of 4096 bytes", body: payload(bytes: 4096), nil),
        JudgeRow(
            "VoIP body of 5120 bytes", path: "/3/device/" + JudgeBench.voipToken,
            headers: [("apns-push-type", "voip"), ("apns-topic", Fixture.bundleID + ".voip")],
            body: payload(bytes: 5120), nil),
        JudgeRow(
            "VoIP topic without push type", path: "/3/device/" + JudgeBench.voipToken,
            headers: [("apns-push-type", nil), ("apns-topic", Fixture.bundleID + ".voip")], nil),
        JudgeRow("unknown headers", headers: [("user-agent", "x"), ("content-type", "application/json")], nil),
        JudgeRow("empty JSON object", body: Array("{}".utf8), nil),
    ]

    static func payload(bytes: Int) -> [UInt8] {
        let frame = #"{"aps":{"alert":""}}"#
        return Array(#"{"aps":{"alert":""#.utf8) + Array(repeating: UInt8(ascii: "x"), count: bytes - frame.utf8.count)
            + Array(#""}}"#.utf8)
    }

    @Test(arguments: bad) func `refuses`(row: JudgeRow) throws {
        var bench = JudgeBench()
        let verdict = try bench.verdict(method: row.method, path: row.path, headers: row.headers, body: row.body)
        #expect(verdict.reason == row.reason)
    }

    @Test(arguments: good) func `accepts`(row: JudgeRow) throws {
        var bench = JudgeBench()
        let verdict = try bench.verdict(method: row.method, path: row.path, headers: row.headers, body: row.body)
        #expect(verdict.isAccepted)
    }

    @Test func `refuses a repeated header, but not a repeated cookie`() throws {
        var bench = JudgeBench()
        var fields = HTTPFields([("authorization", try bench.providerToken()), ("apns-topic", Fixture.bundleID)])
        fields.append("cookie", "a=1")
        fields.append("cookie", "b=2")
        let path = "/3/device/" + JudgeBench.liveToken
        #expect(bench.verdict(APNsRequest(path: path, fields: fields, body: Fixture.payload)).isAccepted)
        fields.append("apns-topic", Fixture.bundleID)
        #expect(
            bench.verdict(APNsRequest(path: path, fields: fields, body: Fixture.payload)).reason == .duplicateHeaders)
    }

    @Test func `tells since when a removed app's token has been invalid, in milliseconds`() throws {
        var bench = JudgeBench()
        let verdict = try bench.verdict(path: "/3/device/" + JudgeBench.deadToken)
        #expect(verdict == .failure(Rejection(.unregistered, invalidSince: Timestamp(milliseconds: 1_799_999_999_123))))
    }

    @Test func `tells nothing about devices to a sender without a valid token`() throws {
        var bench = JudgeBench()
        for path in ["/3/device/" + JudgeBench.deadToken, "/3/device/zz", "/3/device/"] {
            let verdict = try bench.verdict(path: path, headers: [("authorization", "bearer a.b.c")], body: [])
            #expect(verdict.reason == .invalidProviderToken)
        }
    }

    @Test func `makes an id for a push that has none, and reads the headers`() throws {
        var bench = JudgeBench()
        let headers: [(String, String?)] = [
            ("apns-collapse-id", "score"), ("apns-expiration", "1900000000"), ("apns-priority", "5"),
        ]
        let push = try bench.verdict(headers: headers).get()
        #expect(push.id == "00000000-0000-4000-8000-000000000000")
        #expect(push.token == JudgeBench.liveToken)
        #expect(push.collapseID == "score")
        #expect(push.expiration == .until(seconds: 1_900_000_000))
        #expect(push.priority == 5)
        #expect(push.headers["apns-topic"] == Fixture.bundleID)
        #expect(push.headers["authorization"] == nil)
    }

    @Test func `gives each device token its own allowance`() throws {
        var bench = JudgeBench()
        bench.devices.rules.allowance = StorageRules.Allowance(burst: 2, perSecond: 1)
        #expect(try bench.verdict().isAccepted)
        #expect(try bench.verdict().isAccepted)
        #expect(try bench.verdict().reason == .tooManyRequests)
        let voip: [(String, String?)] = [("apns-push-type", "voip"), ("apns-topic", Fixture.bundleID + ".voip")]
        #expect(try bench.verdict(path: "/3/device/" + JudgeBench.voipToken, headers: voip).isAccepted)
        bench.now = bench.now.adding(seconds: 1)
        #expect(try bench.verdict().isAccepted)
    }

    @Test func `takes unknown tokens only when told to`() throws {
        var bench = JudgeBench()
        bench.judge.rules.acceptsUnknownTokens = true
        let push = try bench.verdict(path: "/3/device/aabb").get()
        #expect(bench.devices.accept(push, now: bench.now) == .discarded(.unknownToken))
        #expect(try bench.verdict(path: "/3/device/xyz").reason == .badDeviceToken)
    }

    @Test func `on a shared listener, tells the environment by the host name`() throws {
        var bench = JudgeBench()
        bench.connection = ConnectionIdentity(environment: nil)
        let path = "/3/device/" + JudgeBench.productionToken
        #expect(try bench.verdict(path: path, authority: "localhost:2197").isAccepted)
        #expect(try bench.verdict(path: path, authority: "api.push.apple.com:443").isAccepted)
        #expect(try bench.verdict(path: path, authority: "api.sandbox.push.apple.com").reason == .badDeviceToken)
    }

    @Test func `never traps on arbitrary requests`() throws {
        var generator = SeededGenerator(seed: 20_240_711)
        let characters = Array("/3device-abc0123456789.{}[]\":, éALERT\u{0}")
        let names = [
            "apns-id", "apns-expiration", "apns-priority", "apns-topic", "apns-push-type", "apns-collapse-id",
            "authorization", "x",
        ]
        func text(_ limit: Int) -> String {
            String(
                (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
                    characters.randomElement(using: &generator) ?? "x"
                })
        }
        var bench = JudgeBench()
        for _ in 0..<2000 {
            var headers: [(String, String?)] = []
            for name in names where Bool.random(using: &generator) { headers.append((name, text(80))) }
            let path = Bool.random(using: &generator) ? "/3/device/" + text(70) : text(30)
            let verdict = try bench.verdict(path: path, headers: headers, body: Array(text(60).utf8))
            if case .failure(let rejection) = verdict { #expect((400...503).contains(rejection.reason.status)) }
        }
    }
}
