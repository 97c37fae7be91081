import APNsSimulator
import Crypto
import EventLoop
import PushCore
import PushModel
import Telemetry
import Testing
import Timekeeping
import Transport

@testable import APNsGateway

@Suite struct `Gateway to the APNs simulator` {
    private func isAccepted(_ answer: GatewayAnswer?) -> Bool {
        if case .accepted = answer { true } else { false }
    }

    private func error(_ answer: GatewayAnswer) -> SendError? {
        switch answer {
        case .accepted: nil
        case .rejected(let error), .retry(_, let error), .unregistered(let error, _): error
        }
    }

    @Test func `delivers a push and says its apns-id`() async throws {
        let world = try GatewayWorld()
        let push = world.push()
        #expect(await world.send(push) == .accepted(providerID: push.header("apns-id") ?? ""))
        #expect(world.device.deliveries().map(\.push.id) == [push.header("apns-id")])
        let request = try #require(world.simulator.requests.first)
        #expect(request.path == "/3/device/" + world.deviceToken && request.body == push.payload)
        #expect(Set(request.neverIndexed).isSuperset(of: [":path", "authorization", "apns-id"]))
        #expect(!request.neverIndexed.contains("apns-topic"))
        await world.stop()
    }

    @Test func `keeps the service's limits under load with one token on all connections`() async throws {
        let world = try GatewayWorld({ $0.waitBeforeGrowing = .zero })
        let answers = await world.send(1...500)
        #expect(answers.values.allSatisfy { isAccepted($0) })
        #expect(world.acceptedIDs.count == 500 && world.acceptedIDs.values.allSatisfy { $0 == 1 })
        #expect(world.tokens.count == 1)
        for connection in world.simulator.connections {
            #expect(connection.requestsBeforeSettings == 0 && connection.refusedStreams == 0)
        }
        await world.stop()
    }

    @Test func `says what APNs refuses`() async throws {
        let world = try GatewayWorld()
        world.device.uninstall(bundleID: GatewayWorld.bundleID)
        guard case .unregistered(let error, let invalidAt) = await world.send(world.push()) else {
            Issue.record("not unregistered")
            return
        }
        #expect(error.kind == .unregistered && invalidAt == world.clock.now())
        let unknown = await world.send(world.push(2, token: String(repeating: "ab", count: 32)))
        #expect(self.error(unknown)?.kind == .malformedToken)
        #expect(self.error(unknown)?.apns?.reason == "BadDeviceToken")
        await world.stop()
    }

    // MARK: Provider tokens

    @Test func `makes one new token when the service calls it expired, and the push goes through`() async throws {
        let world = try GatewayWorld()
        world.simulator.add(FaultRule(.answer(ScriptedAnswer(status: 403, reason: "ExpiredProviderToken")), count: 1))
        #expect(isAccepted(await world.send(world.push())))
        #expect(world.simulator.requests.count == 2 && world.tokens.count == 2)
        #expect(world.simulator.connections.count == 2)
        await world.stop()
    }

    @Test func `renews the token after an hour of the clock, on a new connection`() async throws {
        let world = try GatewayWorld()
        #expect(isAccepted(await world.send(world.push(1))))
        world.clock.advance(seconds: 3_700)
        #expect(isAccepted(await world.send(world.push(2))))
        #expect(world.tokens.count == 2)
        #expect(world.simulator.requests.allSatisfy { $0.status == 200 })
        await world.stop()
    }

    @Test func `makes a new token when the clock was set back`() async throws {
        let world = try GatewayWorld()
        #expect(isAccepted(await world.send(world.push(1))))
        world.clock.advance(seconds: -7_200)
        #expect(isAccepted(await world.send(world.push(2))))
        #expect(world.tokens.count == 2)
        await world.stop()
    }

    @Test func `survives a refused token change on a new connection`() async throws {
        let world = try GatewayWorld()
        world.simulator.add(
            FaultRule(.answer(ScriptedAnswer(status: 429, reason: "TooManyProviderTokenUpdates")), count: 1))
        #expect(isAccepted(await world.send(world.push())))
        #expect(world.simulator.connections.count == 2 && world.tokens.count == 1)
        await world.stop()
    }

    @Test func `reports a refused key with APNs' reason`() async throws {
        let world = try GatewayWorld()
        world.simulator.add(FaultRule(.answer(ScriptedAnswer(status: 403, reason: "InvalidProviderToken")), count: 1))
        let refused = await world.send(world.push(1))
        #expect(error(refused)?.kind == .thirdPartyAuthentication)
        #expect(error(refused)?.apns == APNsAnswer(status: 403, reason: "InvalidProviderToken"))
        #expect(isAccepted(await world.send(world.push(2))))
        await world.stop()
    }

    @Test func `takes a new key at once`() async throws {
        let world = try GatewayWorld()
        #expect(isAccepted(await world.send(world.push(1))))
        let key = try P256PrivateKey.generate()
        world.simulator.register(ProviderKey(id: "KEYID00002", teamID: "TEAMID0001", publicKey: key.publicKey))
        world.directory.set(.signingKey(pem: key.pem, keyID: "KEYID00002", teamID: "TEAMID0001"))
        #expect(isAccepted(await world.send(world.push(2))))
        #expect(world.tokens.count == 2)
        let other = try P256PrivateKey.generate()
        world.simulator.register(ProviderKey(id: "KEYID00003", teamID: "TEAMID0001", publicKey: other.publicKey))
        world.directory.set(.signingKey(pem: other.pem, keyID: "KEYID00003", teamID: "TEAMID0001"), serial: 2)
        #expect(isAccepted(await world.send(world.push(3))))
        #expect(world.tokens.count == 3 && world.simulator.connections.count == 3)
        await world.stop()
    }

    @Test func `shows a client certificate instead of a token`() async throws {
        let world = try GatewayWorld()
        let now = SystemClock().now()
        let authority = try CertificateAuthority.generate(
            name: "Test", validity: now.adding(seconds: -100)...now.adding(seconds: 86_400))
        let client = try authority.issueServer(
            names: ["client"], validity: now.adding(seconds: -100)...now.adding(seconds: 86_400))
        world.simulator.register(
            ClientCertificate(topics: [GatewayWorld.bundleID], environments: [.production]),
            fingerprint: client.chain[0].fingerprint)
        world.directory.set(.certificate(chainPEM: client.certificatePEM, keyPEM: client.keyPEM))
        #expect(isAccepted(await world.send(world.push())))
        #expect(world.tokens.isEmpty)
        await world.stop()
    }

    // MARK: Faults of connections

    static let survivable: [(String, Fault)] = [
        ("refused stream", .resetStream(code: 7)),
        ("GOAWAY", .goAway(GoAwayFault(reason: "Shutdown"))),
        ("GOAWAY twice", .goAway(GoAwayFault(isRepeated: true))),
        ("GOAWAY with plain text", .goAway(GoAwayFault(text: "go away"))),
        ("GOAWAY with unprocessed streams", .goAway(GoAwayFault(unprocessedStreams: 4))),
        ("GOAWAY on a connection that stays open", .goAway(GoAwayFault(keepsConnection: true))),
        ("close before the body", .closeConnection(CloseFault(at: .headers, isReset: false))),
        ("close before the answer", .closeConnection(CloseFault(at: .request, isReset: false))),
        ("close after the answer's header", .closeConnection(CloseFault(at: .answer, isReset: false))),
        ("TCP reset", .closeConnection(CloseFault(at: .request, isReset: true))),
        ("half-open", .halfOpen), ("no answer", .noAnswer(isDelivered: false)),
        ("shutdown", .shutdown),
        ("idle timeout answer", .answer(ScriptedAnswer(status: 400, reason: "IdleTimeout"))),
        ("late answers", .delay(.between(milliseconds: 1...50))),
        ("no apns-id", .omitID),
    ]

    @Test(arguments: survivable) func `survives a fault with every push accepted`(
        name: String, fault: Fault
    ) async throws {
        let world = try GatewayWorld({ configuration in
            configuration.timings.request = .seconds(4)
            configuration.timings.silenceBeforePing = .seconds(1)
            configuration.timings.pingAnswer = .seconds(1)
        })
        var condition = FaultCondition()
        condition.nth = 20
        world.simulator.add(FaultRule(fault, when: condition))
        let answers = await world.send(1...60)
        #expect(answers.values.allSatisfy { isAccepted($0) }, "\(name)")
        #expect(world.acceptedIDs.count == 60, "\(name)")
        #expect(world.simulator.connections.allSatisfy { $0.requestsAfterGoAway == 0 }, "\(name)")
        #expect(isAccepted(await world.send(world.push(61))))
        await world.stop()
    }

    static let connectionFaults: [(String, Fault)] = [
        ("GOAWAY instead of SETTINGS", .goAwayInsteadOfSettings(reason: "Shutdown")),
        ("refused connection", .refuseConnection),
    ]

    @Test(arguments: connectionFaults) func `sends pushes back when it cannot connect`(
        name: String, fault: Fault
    ) async throws {
        let world = try GatewayWorld()
        world.simulator.add(FaultRule(fault))
        let answer = await world.send(world.push())
        guard case .retry(_, let error) = answer else {
            Issue.record("\(name): \(answer)")
            return
        }
        #expect(error.kind == .unavailable && error.apns == nil)
        await world.stop()
    }

    static let limits: [(String, Fault)] = [
        ("limit one after an error", .limitOneAfterError),
        ("small windows", .smallWindows(bytes: 100, updateDelayMilliseconds: 0)),
        ("windows that open late", .smallWindows(bytes: 1_000, updateDelayMilliseconds: 5)),
        ("few streams", .streamLimits(first: 1, authorized: 3)), ("strict limit", .goAwayOnLimitViolation),
    ]

    @Test(arguments: limits) func `keeps to limits that move`(name: String, fault: Fault) async throws {
        let world = try GatewayWorld()
        world.simulator.add(FaultRule(fault))
        var every = FaultCondition()
        every.every = 10
        world.simulator.add(FaultRule(.answer(ScriptedAnswer(status: 400, reason: "BadTopic")), when: every))
        let body = Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: 300))"}}"#.utf8)
        let answers = await world.send(1...100, body: body)
        #expect(answers.values.filter { isAccepted($0) }.count >= 85, "\(name)")
        #expect(answers.values.allSatisfy { isAccepted($0) || self.error($0)?.kind == .packageMismatch }, "\(name)")
        await world.stop()
    }

    @Test func `replaces the connection after 500 and says so`() async throws {
        let world = try GatewayWorld()
        world.simulator.add(FaultRule(.answer(ScriptedAnswer(status: 500)), count: 1))
        let answer = await world.send(world.push(1))
        #expect(error(answer)?.kind == .internalError && error(answer)?.apns?.status == 500)
        #expect(isAccepted(await world.send(world.push(2))))
        #expect(world.simulator.connections.count == 2)
        await world.stop()
    }

    @Test func `reads errors that are not JSON`() async throws {
        let world = try GatewayWorld()
        world.simulator.add(
            FaultRule(.answer(ScriptedAnswer(status: 400, reason: "BadTopic")), count: 1),
            FaultRule(.errorText("<html>"), count: 1))
        let answer = await world.send(world.push())
        #expect(error(answer)?.apns == APNsAnswer(status: 400, reason: ""))
        await world.stop()
    }

    @Test func `repeats an unanswered push once, under the same id`() async throws {
        let world = try GatewayWorld({ configuration in
            configuration.timings.request = .milliseconds(400)
            configuration.longestWait = .milliseconds(400)
        })
        world.simulator.add(FaultRule(.noAnswer(isDelivered: true)))
        let answer = await world.send(world.push())
        #expect(error(answer)?.kind == .unavailable)
        #expect(world.simulator.requests.count == 2)
        #expect(Set(world.simulator.requests.map(\.id)).count == 1)
        await world.stop()
    }

    // MARK: Bounds

    @Test func `sends pushes back when its queue is full`() async throws {
        let world = try GatewayWorld({ configuration in
            configuration.maximumQueuedPushes = 5
            configuration.longestWait = .milliseconds(500)
            configuration.timings.request = .milliseconds(500)
        })
        world.simulator.add(FaultRule(.streamLimits(first: 1, authorized: 1)))
        world.simulator.add(FaultRule(.delay(.fixed(milliseconds: 100))))
        let answers = await world.send(1...50)
        #expect(answers.values.contains { error($0)?.message == "The gateway's queue is full." })
        #expect(answers.values.contains { isAccepted($0) })
        await world.stop()
    }

    @Test func `lets nothing of a demo project leave the machine`() async throws {
        let world = try GatewayWorld({ $0.production = .production })
        world.directory.setProject("demo-pharos")
        guard case .rejected(let error) = await world.send(world.push()) else {
            Issue.record("not rejected")
            return
        }
        #expect(error.kind == .thirdPartyAuthentication)
        #expect(world.metrics.counter("pharos_apns_connections_opened_total", "").value == 0)
        await world.stop()
    }

    @Test func `serves demo projects from a stand-in on this machine`() async throws {
        let world = try GatewayWorld()
        world.directory.setProject("demo-pharos")
        #expect(isAccepted(await world.send(world.push())))
        await world.stop()
    }

    @Test func `answers what is under way before it ends`() async throws {
        let world = try GatewayWorld()
        #expect(isAccepted(await world.send(world.push(1))))
        world.simulator.add(FaultRule(.delay(.fixed(milliseconds: 100))))
        async let answers = world.send(2...10)
        _ = await world.simulator.waitForRequests { $0.count >= 10 }
        await world.gateway.shutDown()
        #expect(await answers.values.allSatisfy { isAccepted($0) })
        #expect(error(await world.send(world.push(11)))?.kind == .unavailable)
        await world.stop()
    }

    @Test func `refuses a service whose certificate it does not trust`() async throws {
        let world = try GatewayWorld({ $0.trust = .system })
        let answer = await world.send(world.push())
        #expect(error(answer)?.kind == .unavailable)
        #expect(world.simulator.requests.isEmpty)
        await world.stop()
    }
}
