import JSON
import Testing
import Timekeeping

@testable import APNsSimulator

@Suite struct `A fault script` {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private func occasion(
        connection: Int = 1, request: Int? = 1, token: String = "aabb", topic: String = "com.example.app",
        environment: SimulatedEnvironment? = .sandbox, at seconds: Int64 = 0
    ) -> FaultOccasion {
        FaultOccasion(
            environment: environment, connection: connection, request: request, token: token, topic: topic,
            now: Self.now.adding(seconds: seconds))
    }

    private func outcomes(_ script: inout FaultScript, _ occasions: [FaultOccasion]) -> [Bool] {
        occasions.map { script.faults(forRequest: $0).outcome != nil }
    }

    private func script(_ change: (inout FaultCondition) -> Void) -> FaultScript {
        var condition = FaultCondition()
        change(&condition)
        var script = FaultScript()
        script.add([FaultRule(.halfOpen, when: condition)])
        return script
    }

    @Test func `strikes the nth request of a connection`() {
        var script = script { $0.request = 3 }
        let requests = (1...4).map { occasion(request: $0) } + [occasion(connection: 2, request: 3)]
        #expect(outcomes(&script, requests) == [false, false, true, false, true])
    }

    @Test func `strikes one connection`() {
        var script = script { $0.connection = 2 }
        #expect(outcomes(&script, (1...3).map { occasion(connection: $0) }) == [false, true, false])
    }

    @Test func `strikes a token, a token prefix, a topic, an environment`() {
        var byToken = script { $0.token = "aabb" }
        #expect(outcomes(&byToken, [occasion(), occasion(token: "aabbcc")]) == [true, false])
        var byPrefix = script { $0.tokenPrefix = "aa" }
        #expect(outcomes(&byPrefix, [occasion(), occasion(token: "abcc")]) == [true, false])
        var byTopic = script { $0.topic = "com.example.app" }
        #expect(outcomes(&byTopic, [occasion(), occasion(topic: "other")]) == [true, false])
        var byEnvironment = script { $0.environment = .sandbox }
        let environments = [occasion(), occasion(environment: .production), occasion(environment: nil)]
        #expect(outcomes(&byEnvironment, environments) == [true, false, false])
    }

    @Test func `counts only what meets the rest of its condition`() {
        var nth = script {
            $0.tokenPrefix = "aa"
            $0.nth = 2
        }
        #expect(
            outcomes(&nth, [occasion(), occasion(token: "bb"), occasion(), occasion()]) == [false, false, true, false])
        var every = script { $0.every = 2 }
        #expect(outcomes(&every, (1...5).map { _ in occasion() }) == [false, true, false, true, false])
        var count = script { $0.count = 2 }
        #expect(outcomes(&count, (1...3).map { _ in occasion() }) == [true, true, false])
    }

    @Test func `strikes within a window of time`() {
        var script = script {
            $0.from = Self.now.adding(seconds: 5)
            $0.until = Self.now.adding(seconds: 10)
        }
        let times: [Int64] = [4, 5, 9, 10]
        #expect(outcomes(&script, times.map { occasion(at: $0) }) == [false, true, true, false])
    }

    @Test func `strikes by chance, the same way for the same seed`() {
        var first = script { $0.probability = 0.3 }
        var second = first
        let occasions = (0..<1000).map { _ in occasion() }
        let struck = outcomes(&first, occasions)
        #expect(struck == outcomes(&second, occasions))
        #expect((200...400).contains(struck.count { $0 }))
        var never = script { $0.probability = 0 }
        #expect(!outcomes(&never, occasions).contains(true))
        var always = script { $0.probability = 1 }
        #expect(!outcomes(&always, occasions).contains(false))
    }

    @Test func `plays answers one after the other`() throws {
        let json =
            #"[{"status":410,"body":{"reason":"Unregistered","timestamp":"1700000000000"}},{"status":200},{"status":503}]"#
        var script = FaultScript()
        script.add(try FaultRule.sequence(answers: JSONValue(parsing: json)))
        let outcomes = (0..<4).map { _ in script.faults(forRequest: occasion()).outcome }
        #expect(
            outcomes[0]
                == .answer(
                    ScriptedAnswer(status: 410, reason: "Unregistered", timestampMilliseconds: 1_700_000_000_000)))
        #expect(outcomes[1] == .pass)
        #expect(outcomes[2] == .answer(ScriptedAnswer(status: 503, reason: "ServiceUnavailable")))
        #expect(outcomes[3] == nil)
    }

    @Test func `adds delays and changes of the answer to one outcome`() {
        var script = FaultScript()
        script.add([
            FaultRule(.delay(.fixed(milliseconds: 100))), FaultRule(.delay(.between(milliseconds: 10...20))),
            FaultRule(.omitID), FaultRule(.shutdown), FaultRule(.halfOpen),
            FaultRule(.spell(.badEnvironmentKeyID, as: "BadEnvironmentKeyInToken")),
        ])
        let faults = script.faults(forRequest: occasion())
        #expect((110...120).contains(faults.delayMilliseconds))
        #expect(faults.omitsID)
        #expect(faults.outcome == .shutdown)
        #expect(faults.spelling == [.badEnvironmentKeyID: "BadEnvironmentKeyInToken"])
    }

    @Test func `keeps faults of connections and of requests apart`() {
        var script = FaultScript()
        script.add([FaultRule(.silentPings, count: 1), FaultRule(.refuseConnection, count: 1), FaultRule(.halfOpen)])
        #expect(script.faults(forRequest: occasion()).outcome == .halfOpen)
        let opening = FaultOccasion(environment: .sandbox, connection: 1, now: Self.now)
        #expect(script.faults(forConnection: opening, stage: .accept) == [.refuseConnection])
        #expect(script.faults(forConnection: opening) == [.silentPings])
        #expect(script.faults(forConnection: opening) == [])
    }

    @Test func `forgets a removed rule`() {
        var script = FaultScript()
        let numbers = script.add([FaultRule(.halfOpen), FaultRule(.shutdown)])
        let removals = [script.remove(id: numbers[0]), script.remove(id: numbers[0])]
        #expect(removals == [true, false])
        #expect(script.faults(forRequest: occasion()).outcome == .shutdown)
    }
}

@Suite struct `Faults in JSON` {
    private static let now = Timestamp(seconds: 1_800_000_000)

    static let good: [(String, Fault)] = [
        (#"{"fault":"refuse_connection"}"#, .refuseConnection),
        (#"{"fault":"slow_handshake","ms":50}"#, .slowHandshake(milliseconds: 50)),
        (#"{"fault":"goaway_instead_of_settings","reason":"Shutdown"}"#, .goAwayInsteadOfSettings(reason: "Shutdown")),
        (#"{"fault":"stream_limits","first":5,"authorized":7}"#, .streamLimits(first: 5, authorized: 7)),
        (#"{"fault":"limit_one_after_error"}"#, .limitOneAfterError),
        (#"{"fault":"goaway_on_limit_violation"}"#, .goAwayOnLimitViolation),
        (
            #"{"fault":"small_windows","bytes":100,"update_delay_ms":5}"#,
            .smallWindows(bytes: 100, updateDelayMilliseconds: 5)
        ),
        (#"{"fault":"silent_pings"}"#, .silentPings),
        (#"{"fault":"idle_timeout","ms":10}"#, .idleTimeout(milliseconds: 10)),
        (#"{"fault":"disconnect_after_errors","errors":3}"#, .disconnectAfterErrors(3)),
        (#"{"fault":"server_errors_after_expired_token"}"#, .serverErrorsAfterExpiredToken),
        (#"{"fault":"delay","ms":5}"#, .delay(.fixed(milliseconds: 5))),
        (#"{"fault":"delay","min_ms":5,"max_ms":6}"#, .delay(.between(milliseconds: 5...6))),
        (
            #"{"fault":"delay","ms":1,"one_in":100,"outlier_ms":900}"#,
            .delay(.outliers(milliseconds: 1, oneIn: 100, outlierMilliseconds: 900))
        ),
        (#"{"fault":"omit_id"}"#, .omitID),
        (#"{"fault":"error_text","text":"<html>"}"#, .errorText("<html>")),
        (#"{"fault":"spell","reason":"BadEnvironmentKeyIdInToken","as":"X"}"#, .spell(.badEnvironmentKeyID, as: "X")),
        (#"{"fault":"pass"}"#, .pass),
        (
            #"{"fault":"answer","status":429,"retry_after_seconds":9}"#,
            .answer(ScriptedAnswer(status: 429, retryAfterSeconds: 9))
        ),
        (#"{"fault":"answer","reason":"ExpiredToken"}"#, .answer(ScriptedAnswer(status: 410, reason: "ExpiredToken"))),
        (#"{"fault":"answer","status":500,"body":"oops"}"#, .answer(ScriptedAnswer(status: 500, body: "oops"))),
        (#"{"fault":"no_answer","delivered":true}"#, .noAnswer(isDelivered: true)),
        (#"{"fault":"reset_stream"}"#, .resetStream(code: 7)),
        (
            #"{"fault":"goaway","reason":"Shutdown","unprocessed":2,"repeated":true}"#,
            .goAway(GoAwayFault(reason: "Shutdown", unprocessedStreams: 2, isRepeated: true))
        ),
        (#"{"fault":"half_open"}"#, .halfOpen),
        (#"{"fault":"close"}"#, .closeConnection(CloseFault(at: .request, isReset: false))),
        (#"{"fault":"tcp_reset","at":"answer"}"#, .closeConnection(CloseFault(at: .answer, isReset: true))),
        (#"{"fault":"shutdown"}"#, .shutdown),
        (#"{"fault":"server_errors"}"#, .serverErrors),
    ]

    static let bad = [
        #"{}"#, #"{"fault":7}"#, #"{"fault":"explode"}"#, #"{"fault":"slow_handshake"}"#,
        #"{"fault":"slow_handshake","ms":-1}"#, #"{"fault":"slow_handshake","ms":1.5}"#,
        #"{"fault":"slow_handshake","ms":99999999999}"#, #"{"fault":"half_open","ms":5}"#,
        #"{"fault":"stream_limits","first":1}"#, #"{"fault":"delay"}"#, #"{"fault":"delay","min_ms":6,"max_ms":5}"#,
        #"{"fault":"delay","ms":1,"one_in":0,"outlier_ms":9}"#, #"{"fault":"spell","reason":"Nonsense","as":"X"}"#,
        #"{"fault":"answer"}"#, #"{"fault":"answer","status":99}"#, #"{"fault":"answer","status":"soon"}"#,
        #"{"fault":"tcp_reset","at":"night"}"#, #"{"fault":"half_open","when":[]}"#,
        #"{"fault":"half_open","when":{"connection":0}}"#, #"{"fault":"half_open","when":{"probability":1.5}}"#,
        #"{"fault":"half_open","when":{"tokens":"aa"}}"#, #"{"fault":"half_open","when":{"environment":"moon"}}"#,
        #"{"fault":"silent_pings","when":{"token":"aa"}}"#, #"{"fault":"refuse_connection","when":{"request":1}}"#,
        #"{"fault":"omit_id","extra":null,"more":1}"#,
    ]

    @Test(arguments: good) func `are read by name`(json: String, fault: Fault) throws {
        let object = try #require(JSONValue(parsing: json).object)
        #expect(try FaultRule(json: object, now: Self.now).fault == fault)
    }

    @Test(arguments: bad) func `are refused with the member that is wrong`(json: String) throws {
        let object = try #require(JSONValue(parsing: json).object)
        #expect(throws: ControlError.self) { try FaultRule(json: object, now: Self.now) }
    }

    @Test func `have conditions`() throws {
        let json =
            #"{"fault":"half_open","when":{"environment":"sandbox","connection":2,"request":3,"token":"AABB","token_prefix":"aA","topic":"t","nth":4,"every":5,"probability":0.5,"count":6,"after_ms":100,"for_ms":50}}"#
        let object = try #require(JSONValue(parsing: json).object)
        var wanted = FaultCondition()
        (wanted.environment, wanted.connection, wanted.request) = (.sandbox, 2, 3)
        (wanted.token, wanted.tokenPrefix, wanted.topic) = ("aabb", "aa", "t")
        (wanted.nth, wanted.every, wanted.probability, wanted.count) = (4, 5, 0.5, 6)
        wanted.from = Self.now.adding(milliseconds: 100)
        wanted.until = Self.now.adding(milliseconds: 150)
        #expect(try FaultRule(json: object, now: Self.now).condition == wanted)
    }

    @Test func `have the emulator's short form`() throws {
        let json = #"{"target":"AB","door":"apns","status":410,"reason":"Unregistered","count":2,"delay_ms":30}"#
        let rules = try FaultRule.rules(emulator: try #require(JSONValue(parsing: json).object), now: Self.now)
        #expect(rules.map(\.fault) == [.delay(.fixed(milliseconds: 30)), .answer(ScriptedAnswer(status: 410))])
        #expect(rules.allSatisfy { $0.condition.token == "ab" && $0.condition.count == 2 })
        #expect(throws: ControlError.self) { try FaultRule.rules(emulator: ["target": "ab"], now: Self.now) }
    }

    @Test func `never trap on arbitrary JSON`() {
        var generator = SeededGenerator(seed: 7)
        let names = [
            "fault", "ms", "min_ms", "max_ms", "status", "reason", "when", "code", "body", "at", "one_in", "first",
        ]
        let values: [JSONValue] = [
            "delay", "answer", "goaway", "tcp_reset", "stream_limits", -1, 0, 7, 9_223_372_036_854_775_807, 1.5, "",
            "é",
            true, nil, [], ["token": "aa"], ["reason": 5], "Unregistered", "headers",
        ]
        for _ in 0..<5000 {
            var object = JSONObject()
            for name in names where Bool.random(using: &generator) {
                object[name] = values.randomElement(using: &generator)
            }
            _ = try? FaultRule(json: object, now: Self.now)
            _ = try? FaultRule.rules(emulator: object, now: Self.now)
            _ = try? FaultRule.sequence(answers: .array([.object(object)]))
        }
    }
}
