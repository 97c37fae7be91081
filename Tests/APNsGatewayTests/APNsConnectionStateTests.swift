import EventLoop
import PropertyTesting
import Testing

@testable import APNsGateway

/// A state with a clock that the test moves.
struct StateUnderTest {
    var state: APNsConnectionState
    var now = MonotonicTime(nanoseconds: 0)

    init(needsProof: Bool = true) {
        state = APNsConnectionState(timings: APNsTimings(), needsProof: needsProof, now: now)
    }

    /// A connection on which requests may go, with that many under way.
    static func open(limit: Int = 100, streams: [Int32] = []) -> StateUnderTest {
        var test = StateUnderTest(needsProof: false)
        _ = test.handle(.opened)
        _ = test.handle(.settings(streams: limit))
        for stream in streams { _ = test.handle(.submitted(stream: stream, generation: 1)) }
        return test
    }

    mutating func handle(_ event: APNsConnectionState.Event) -> [APNsConnectionState.Action] {
        state.handle(event, at: now)
    }

    mutating func after(
        _ seconds: Int, _ event: APNsConnectionState.Event = .tick(pushesWait: false)
    ) -> [APNsConnectionState.Action] {
        now = now.adding(.seconds(seconds))
        return handle(event)
    }
}

@Suite struct `APNs connection state` {
    // MARK: Beginning

    @Test func `submits nothing before the SETTINGS of the service`() {
        var test = StateUnderTest()
        #expect(test.state.freeStreams == 0)
        _ = test.handle(.opened)
        #expect(test.state.freeStreams == 0)
        #expect(test.handle(.settings(streams: 1)) == [.useFreeStreams])
        #expect(test.state.freeStreams == 1)
    }

    @Test func `sends one request alone until the token is proved`() {
        var test = StateUnderTest()
        _ = test.handle(.opened)
        _ = test.handle(.settings(streams: 1_000))
        #expect(test.state.freeStreams == 1)
        _ = test.handle(.submitted(stream: 1, generation: 1))
        #expect(test.state.freeStreams == 0)
        _ = test.handle(.answered(stream: 1, isAuthorized: false))
        #expect(test.state.freeStreams == 1)
        _ = test.handle(.submitted(stream: 3, generation: 1))
        #expect(test.handle(.answered(stream: 3, isAuthorized: true)) == [.useFreeStreams])
        #expect(test.state.freeStreams == 1_000)
    }

    @Test func `needs no proof with a certificate`() {
        #expect(StateUnderTest.open(limit: 500).state.freeStreams == 500)
    }

    @Test func `fails to connect when SETTINGS do not come`() {
        var test = StateUnderTest()
        _ = test.handle(.opened)
        #expect(test.after(9) == [])
        #expect(test.after(1) == [.failConnecting(reason: "no SETTINGS came"), .abort])
        #expect(test.state.phase == .closed)
    }

    @Test func `fails to connect when GOAWAY comes instead of SETTINGS`() {
        var test = StateUnderTest()
        _ = test.handle(.opened)
        #expect(test.handle(.goAway(reason: "Shutdown")) == [.failConnecting(reason: "Shutdown"), .abort])
    }

    @Test func `fails to connect when the transport is lost`() {
        var test = StateUnderTest()
        #expect(test.handle(.lost) == [.failConnecting(reason: ""), .abort])
        #expect(test.handle(.lost) == [])
    }

    // MARK: Limits

    @Test func `obeys a limit that shrinks below what is under way`() {
        var test = StateUnderTest.open(limit: 10, streams: [1, 3, 5])
        _ = test.handle(.settings(streams: 1))
        #expect(test.state.freeStreams == 0)
        #expect(test.handle(.answered(stream: 1, isAuthorized: true)) == [])
        #expect(test.handle(.answered(stream: 3, isAuthorized: true)) == [])
        #expect(test.handle(.answered(stream: 5, isAuthorized: true)) == [.useFreeStreams])
        #expect(test.state.freeStreams == 1)
        _ = test.handle(.settings(streams: 10))
        #expect(test.state.freeStreams == 10)
    }

    @Test func `replaces a connection whose limit is stuck at one while pushes wait`() {
        var test = StateUnderTest.open(limit: 1, streams: [1])
        _ = test.handle(.received)
        #expect(test.after(4, .tick(pushesWait: true)) == [])
        _ = test.handle(.received)
        #expect(test.after(4, .tick(pushesWait: true)) == [])
        _ = test.handle(.received)
        #expect(test.after(2, .tick(pushesWait: false)) == [])
        #expect(test.handle(.tick(pushesWait: true)) == [.openReplacement])
        #expect(test.state.phase == .draining(since: test.now))
    }

    // MARK: Deadlines and liveness

    @Test func `gives up streams in the order of their deadlines`() {
        var test = StateUnderTest.open(streams: [1, 3])
        _ = test.after(10, .submitted(stream: 5, generation: 1))
        _ = test.handle(.answered(stream: 1, isAuthorized: true))
        _ = test.handle(.received)
        #expect(test.after(4) == [])
        _ = test.handle(.received)
        #expect(test.after(1) == [.giveUp(stream: 3)])
        _ = test.handle(.streamEnded(stream: 3))
        _ = test.handle(.received)
        #expect(test.after(4) == [])
    }

    @Test func `asks a silent service whether it lives, and drops a dead connection`() {
        var test = StateUnderTest.open(streams: [1])
        #expect(test.after(4) == [])
        #expect(test.after(1) == [.ping])
        #expect(test.after(4) == [])
        #expect(test.after(1) == [.openReplacement, .abort])
        #expect(!test.state.isUsable)
    }

    @Test func `takes any bytes for a sign of life`() {
        var test = StateUnderTest.open(streams: [1])
        #expect(test.after(5) == [.ping])
        _ = test.after(4, .received)
        #expect(test.after(4) == [])
        #expect(test.after(1) == [.ping])
    }

    @Test func `asks an idle connection seldom and closes it after long idleness`() {
        var test = StateUnderTest.open()
        #expect(test.after(59) == [])
        #expect(test.after(1) == [.ping])
        _ = test.handle(.received)
        #expect(test.after(60) == [.ping])
        _ = test.handle(.received)
        #expect(test.after(3_600) == [.close])
    }

    @Test func `counts silence from the first request after an idle time`() {
        var test = StateUnderTest.open()
        _ = test.after(30)
        _ = test.handle(.submitted(stream: 1, generation: 1))
        #expect(test.after(4) == [])
        #expect(test.after(1) == [.ping])
    }

    // MARK: Endings

    static let goAways: [(String, [APNsConnectionState.Action])] = [
        ("", [.openReplacement]), ("Shutdown", [.openReplacement]), ("IdleTimeout", [.openReplacement]),
        ("not JSON", [.openReplacement]),
        ("BadCertificate", [.halt(reason: "BadCertificate")]),
        ("BadCertificateEnvironment", [.halt(reason: "BadCertificateEnvironment")]),
        ("BadEnvironmentKeyInToken", [.halt(reason: "BadEnvironmentKeyInToken")]),
    ]

    @Test(arguments: goAways) func `drains after GOAWAY`(
        reason: String, expected: [APNsConnectionState.Action]
    ) {
        var test = StateUnderTest.open(streams: [1, 3])
        #expect(test.handle(.goAway(reason: reason)) == expected)
        #expect(test.state.freeStreams == 0 && !test.state.isUsable)
        #expect(test.handle(.goAway(reason: reason)) == [])
        #expect(test.handle(.streamEnded(stream: 3)) == [])
        #expect(test.handle(.answered(stream: 1, isAuthorized: true)) == [.close])
        #expect(test.handle(.lost) == [])
    }

    @Test func `closes at once when nothing is under way`() {
        var test = StateUnderTest.open()
        #expect(test.handle(.goAway(reason: "")) == [.openReplacement, .close])
    }

    @Test func `waits for answers no longer than the drain limit`() {
        var test = StateUnderTest.open(streams: [1])
        _ = test.handle(.replaced)
        for _ in 0..<3 {
            _ = test.handle(.received)
            _ = test.after(4)
        }
        _ = test.handle(.received)
        #expect(test.after(3) == [.giveUp(stream: 1)])
        _ = test.handle(.received)
        #expect(test.after(15) == [.abort])
    }

    @Test func `asks for a replacement when an open connection is lost`() {
        var test = StateUnderTest.open(streams: [1])
        #expect(test.handle(.lost) == [.openReplacement, .abort])
    }

    @Test func `drops a connection that is replaced before it is up`() {
        var test = StateUnderTest()
        #expect(test.handle(.replaced) == [.abort])
    }

    @Test(arguments: 1...50) func `never allows more streams than the service, whatever happens`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var test = StateUnderTest(needsProof: Bool.random(using: &random))
        var next: Int32 = 1
        var limit = 0
        for _ in 0..<300 {
            test.now = test.now.adding(.milliseconds(Int.random(in: 0...2_000, using: &random)))
            let stream = test.state.underWay.randomElement(using: &random) ?? 1
            let event: APNsConnectionState.Event
            switch Int.random(in: 0..<20, using: &random) {
            case 0: event = .opened
            case 1:
                limit = Int.random(in: 0...20, using: &random)
                event = .settings(streams: limit)
            case 2..<5: event = .answered(stream: stream, isAuthorized: Bool.random(using: &random))
            case 5: event = .streamEnded(stream: stream)
            case 6..<10: event = .tick(pushesWait: Bool.random(using: &random))
            case 10..<14: event = .received
            case 14 where Int.random(in: 0..<20, using: &random) == 0: event = .goAway(reason: "")
            default:
                guard test.state.freeStreams > 0 else { continue }
                event = .submitted(stream: next, generation: 1)
                next += 2
            }
            let before = test.state.underWay.count
            for action in test.handle(event) {
                if case .giveUp(let stream) = action { _ = test.handle(.streamEnded(stream: stream)) }
            }
            let isWithin = test.state.underWay.count <= max(limit, before)
            #expect(isWithin && test.state.freeStreams <= limit)
            if test.state.phase == .closed { #expect(test.state.freeStreams == 0) }
        }
    }
}
