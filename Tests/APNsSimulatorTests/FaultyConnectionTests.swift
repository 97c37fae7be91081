import HTTP2Wire
import HTTPSemantics
import Testing
import Timekeeping

@testable import APNsSimulator

@Suite struct `A faulty connection` {
    /// Two requests at once on a new connection, where one is allowed; the first gets no answer.
    private func twoAtOnce(_ fixture: Fixture) async throws -> (sender: Sender, answers: [Task<Answer, Never>]) {
        fixture.simulator.add(FaultRule(.noAnswer(isDelivered: false), count: 1))
        let sender = try fixture.waitingSender()
        let fields = fixture.fields()
        var answers: [Task<Answer, Never>] = []
        for number in 1...2 {
            answers.append(Task { await sender.send(fields, body: Fixture.payload) })
            await sender.wait { $0.submitted == number }
        }
        sender.connect()
        return (sender, answers)
    }

    @Test func `refuses the stream beyond the limit and counts it`() async throws {
        let fixture = try Fixture()
        let (sender, answers) = try await twoAtOnce(fixture)
        #expect(await answers[1].value == .reset(.refusedStream))
        sender.close()
        #expect(await answers[0].value == .connectionLost)
        #expect(fixture.simulator.connections.first?.refusedStreams == 1)
        #expect(fixture.simulator.connections.first?.requests == 1)
    }

    @Test func `ends at a limit violation when told to`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.goAwayOnLimitViolation))
        let (sender, answers) = try await twoAtOnce(fixture)
        await sender.wait { !$0.goAways.isEmpty }
        #expect(sender.seen.goAwayCodes == [7])
        #expect(sender.seen.goAways == ["Maximum active streams violated for this endpoint."])
        sender.close()
        for answer in answers { _ = await answer.value }
    }

    @Test func `takes its limit down after an error and up after a success`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.limitOneAfterError))
        let sender = try fixture.sender()
        await sender.wait { !$0.streamLimits.isEmpty }
        for token in [nil, "zz", nil, nil] {
            _ = await sender.send(fixture.fields(token: token), body: Fixture.payload)
        }
        #expect(sender.seen.streamLimits == [1, 1000, 1, 1000])
        sender.close()
    }

    @Test func `says GOAWAY and still answers what it took`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(
            FaultRule(.delay(.fixed(milliseconds: 20)), count: 1),
            FaultRule(.goAway(GoAwayFault(reason: "Shutdown", isRepeated: true)), count: 1))
        let sender = try fixture.sender()
        let answer = await sender.send(fixture.fields(), body: Fixture.payload)
        #expect(answer.status == 200)
        #expect(sender.seen.goAways == [#"{"reason":"Shutdown"}"#, #"{"reason":"Shutdown"}"#])
        #expect(sender.seen.lastStreams == [1, 1])
        await sender.wait { $0.closeReason != nil }
    }

    @Test func `says GOAWAY below streams that it never looked at`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(try FaultRule(.goAway(GoAwayFault(unprocessedStreams: 1)), when: nthRequest(2)))
        let sender = try fixture.sender()
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(await sender.send(fixture.fields(), body: Fixture.payload) == .reset(.refusedStream))
        #expect(sender.seen.lastStreams == [1])
        #expect(fixture.device.deliveries().count == 1)
        #expect(fixture.simulator.counts["NotProcessed"] == 1)
        sender.close()
    }

    private func nthRequest(_ number: Int) throws -> FaultCondition {
        var condition = FaultCondition()
        condition.request = number
        return condition
    }

    @Test func `counts requests that come after its GOAWAY was understood`() async throws {
        let fixture = try Fixture()
        let fault = GoAwayFault(keepsConnection: true)
        fixture.simulator.add(FaultRule(.goAway(fault), count: 1))
        let sender = try fixture.sender()
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        #expect(fixture.simulator.connections.first?.goAwaySent == true)
        #expect(fixture.simulator.connections.first?.requestsAfterGoAway == 0)
        #expect(sender.seen.closeReason == nil)
        sender.close()
    }

    @Test func `says GOAWAY where its SETTINGS should come`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.goAwayInsteadOfSettings(reason: "Shutdown"), count: 1))
        let sender = try fixture.sender()
        await sender.wait { $0.closeReason != nil }
        #expect(sender.seen.streamLimits == [])
        let next = try fixture.sender()
        #expect(await next.send(fixture.fields(), body: Fixture.payload).status == 200)
        next.close()
    }

    @Test func `goes half open: no answer to anything, no end`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.halfOpen, count: 1))
        let sender = try fixture.sender()
        let answerFields = fixture.fields()
        async let answer = sender.send(answerFields, body: Fixture.payload)
        _ = await fixture.simulator.waitForRequests { !$0.isEmpty }
        sender.ping()
        let other = try fixture.sender()
        #expect(await other.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(sender.seen.closeReason == nil)
        #expect(sender.seen.pingsAnswered == 0)
        sender.close()
        #expect(await answer == .connectionLost)
        other.close()
    }

    @Test func `answers PING, unless told to be silent`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        await sender.wait { !$0.streamLimits.isEmpty }
        sender.ping()
        await sender.wait { $0.pingsAnswered == 1 }
        fixture.simulator.add(FaultRule(.silentPings))
        let silent = try fixture.sender()
        await silent.wait { !$0.streamLimits.isEmpty }
        silent.ping()
        #expect(await silent.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(silent.seen.pingsAnswered == 0)
        sender.close()
        silent.close()
    }

    @Test func `lets answers overtake one another`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(try FaultRule(.delay(.fixed(milliseconds: 1_000_000)), when: nthRequest(2)))
        let sender = try fixture.sender()
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        async let slow = sender.send(fixture.fields(["apns-id": Self.id(1)]), body: Fixture.payload)
        _ = await fixture.simulator.waitForRequests { $0.count == 2 }
        #expect(await sender.send(fixture.fields(["apns-id": Self.id(2)]), body: Fixture.payload).status == 200)
        #expect(fixture.simulator.requests.first { $0.id == Self.id(1) }?.answeredAt == nil)
        sender.close()
        #expect(await slow == .connectionLost)
    }

    @Test func `delays an answer`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.delay(.fixed(milliseconds: 5))))
        let sender = try fixture.sender()
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(fixture.simulator.requests.first?.answeredAt != nil)
        sender.close()
    }

    private static func id(_ number: Int) -> String {
        "00000000-0000-4000-8000-00000000000\(number)"
    }

    @Test(arguments: [CloseFault.Moment.headers, .request, .answer], [false, true])
    func `breaks off`(at moment: CloseFault.Moment, isReset: Bool) async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.closeConnection(CloseFault(at: moment, isReset: isReset)), count: 1))
        let sender = try fixture.sender()
        #expect(await sender.send(fixture.fields(), body: Fixture.payload) == .connectionLost)
        #expect(sender.seen.goAways == [])
        #expect(fixture.device.deliveries().count == (moment == .answer ? 1 : 0))
    }

    @Test func `leaves single requests without an answer, delivered or not`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(try FaultRule(.noAnswer(isDelivered: true), when: nthRequest(2)))
        let sender = try fixture.sender()
        _ = await sender.send(fixture.fields(), body: Fixture.payload)
        let lostFields = fixture.fields()
        async let lost = sender.send(lostFields, body: Fixture.payload)
        _ = await fixture.simulator.waitForRequests { $0.count == 2 }
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(fixture.device.deliveries().count == 3)
        sender.close()
        #expect(await lost == .connectionLost)
    }

    @Test func `answers 500 to everything once a token has expired`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.serverErrorsAfterExpiredToken))
        let sender = try fixture.sender()
        let old = try fixture.authorization(issuedAt: Fixture.start.adding(seconds: -4000))
        #expect(await sender.send(fixture.fields(authorization: old), body: Fixture.payload).status == 403)
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 500)
        let next = try fixture.sender()
        #expect(await next.send(fixture.fields(), body: Fixture.payload).status == 200)
        sender.close()
        next.close()
    }

    @Test func `says Shutdown and then GOAWAY`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.shutdown, count: 1))
        let sender = try fixture.sender()
        let answer = await sender.send(fixture.fields(), body: Fixture.payload)
        #expect(answer.status == 503)
        #expect(answer.body == #"{"reason":"Shutdown"}"#)
        await sender.wait { $0.closeReason != nil }
        #expect(sender.seen.goAways == [#"{"reason":"Shutdown"}"#])
    }

    @Test func `ends after too many errors, BadDeviceToken counting twice and 410 not`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.disconnectAfterErrors(4)))
        fixture.device.register(bundleID: "com.example.gone", token: "0a0b")
        fixture.device.uninstall(bundleID: "com.example.gone")
        let sender = try fixture.sender()
        let gone = fixture.fields(token: "0a0b", ["apns-topic": "com.example.gone"])
        #expect(await sender.send(gone, body: Fixture.payload).status == 410)
        #expect(await sender.send(fixture.fields(token: "zz"), body: Fixture.payload).status == 400)
        #expect(sender.seen.goAways == [])
        #expect(await sender.send(fixture.fields(token: "zz"), body: Fixture.payload).status == 400)
        await sender.wait { $0.closeReason != nil }
        #expect(sender.seen.goAways.count == 1)
    }

    @Test func `answers IdleTimeout after a silence, and ends`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.idleTimeout(milliseconds: 0)))
        let sender = try fixture.sender()
        await sender.wait { !$0.streamLimits.isEmpty }
        sender.ping()
        await sender.wait { $0.pingsAnswered == 1 }
        let answer = await sender.send(fixture.fields(), body: Fixture.payload)
        #expect(answer.body == #"{"reason":"IdleTimeout"}"#)
        await sender.wait { $0.closeReason != nil }
    }

    @Test func `gives small windows back slowly, and the body still arrives`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.smallWindows(bytes: 10, updateDelayMilliseconds: 1)))
        let sender = try fixture.sender()
        await sender.wait { !$0.streamLimits.isEmpty }
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(fixture.device.deliveries().first?.push.payload == Fixture.payload)
        sender.close()
    }

    @Test func `may be refused, or made to wait, before its handshake`() async throws {
        let fixture = try Fixture()
        fixture.simulator.add(FaultRule(.refuseConnection, count: 1), FaultRule(.slowHandshake(milliseconds: 20)))
        let refused = try fixture.sender()
        await refused.wait { $0.closeReason != nil }
        #expect(fixture.simulator.connections.isEmpty)
        let slow = try fixture.sender()
        #expect(await slow.send(fixture.fields(), body: Fixture.payload).status == 200)
        slow.close()
    }

    @Test func `can be struck from outside`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        #expect(await sender.send(fixture.fields(), body: Fixture.payload).status == 200)
        #expect(fixture.simulator.strike(.goAway(GoAwayFault(reason: "IdleTimeout"))) == 1)
        await sender.wait { $0.closeReason != nil }
        #expect(sender.seen.goAways == [#"{"reason":"IdleTimeout"}"#])
    }
}
