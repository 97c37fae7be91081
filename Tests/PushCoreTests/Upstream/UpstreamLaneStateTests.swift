import PushModel
import Testing
import Timekeeping

@testable import PushCore

/// What happens while somebody reads the store.
@Suite struct `Connections of one project` {
    private let now = Timestamp(seconds: 1_000)
    private let first = RecordingSession()
    private let second = RecordingSession()

    private func message(_ number: Int64) -> UpstreamMessage {
        UpstreamMessage(
            id: UpstreamID(value: number),
            content: UpstreamDraft(
                project: UpstreamWorld.project, kind: .message, from: "token", category: "", messageID: "\(number)",
                timeToLiveSeconds: 60, expiresAt: now.adding(seconds: 60)))
    }

    /// Where the next step reads; `nil` when it reads nothing.
    private func reading(_ state: inout UpstreamLaneState) -> UpstreamID? {
        if case .read(let start)? = state.nextStep(now: now) { start } else { nil }
    }

    /// What the next step hands over.
    private func handing(_ state: inout UpstreamLaneState) -> [UpstreamLaneState.HandOver] {
        defer { state.endPumping() }
        if case .handOver(let handOvers, _)? = state.nextStep(now: now) { return handOvers }
        return []
    }

    /// Reads and hands over.
    private func pump(
        _ state: inout UpstreamLaneState, _ messages: [UpstreamMessage]
    ) -> [UpstreamLaneState.HandOver] {
        guard let start = reading(&state) else { return [] }
        state.take(messages, after: start, isAll: true)
        state.endPumping()
        return handing(&state)
    }

    /// Both connections, with a message each.
    private func busy() -> UpstreamLaneState {
        var state = UpstreamLaneState()
        state.connect(first, windowSize: 2)
        state.connect(second, windowSize: 2)
        let handOvers = pump(&state, [message(1), message(2)])
        #expect(handOvers.map { $0.session === first } == [true, false])
        #expect(reading(&state) == nil)
        return state
    }

    @Test func `never get what was acknowledged and closed while it was read`() {
        var state = busy()
        state.disconnect(first)
        let start = reading(&state)
        #expect(start == UpstreamID(value: 0))
        #expect(state.acknowledge("2", from: "token", by: second) == UpstreamID(value: 2))
        state.closed([UpstreamID(value: 2)])
        state.take([message(1), message(2)], after: UpstreamID(value: 0), isAll: true)
        state.endPumping()
        #expect(handing(&state).map(\.message.id.value) == [1])
        #expect(state.outside == [UpstreamID(value: 1)])
    }

    @Test func `get what came back while newer messages were read`() {
        var state = busy()
        #expect(state.accepted(message(3)) != nil)
        state.endPumping()
        state.connect(RecordingSession(), windowSize: 2)
        #expect(reading(&state) == UpstreamID(value: 3))
        state.disconnect(first)
        state.take([message(4)], after: UpstreamID(value: 3), isAll: true)
        state.endPumping()
        #expect(state.ahead.isEmpty)
        #expect(reading(&state) == UpstreamID(value: 0))
    }

    @Test func `get what waits for room without another look into the store`() {
        var state = UpstreamLaneState()
        state.connect(first, windowSize: 2)
        #expect(pump(&state, (1...6).map(message)).map(\.message.id.value) == [1, 2])
        for number in 1...4 as ClosedRange<Int64> {
            #expect(state.acknowledge("\(number)", from: nil, by: first) != nil)
            #expect(handing(&state).map(\.message.id.value) == [number + 2])
        }
        #expect(state.ahead.isEmpty)
    }

    @Test func `get what came back before what waits for room`() {
        var state = busy()
        state.connect(first, windowSize: 2)
        for number in 3...4 as ClosedRange<Int64> {
            #expect(state.accepted(message(number)) != nil)
            state.endPumping()
        }
        #expect(state.accepted(message(5)) == nil, "no room")
        _ = state.acknowledge("1", from: nil, by: first)
        #expect(pump(&state, [message(5), message(6)]).map(\.message.id.value) == [5])
        #expect(state.ahead.map(\.id.value) == [6])
        state.disconnect(second)
        #expect(state.ahead.isEmpty)
        _ = state.acknowledge("5", from: nil, by: first)
        #expect(pump(&state, [message(2), message(4), message(6)]).map(\.message.id.value) == [2])
    }

    @Test func `get nothing twice at a time`() {
        var state = busy()
        #expect(state.accepted(message(3)) != nil)
        #expect(state.accepted(message(4)) == nil, "the third is being handed over")
        state.endPumping()
        #expect(reading(&state) == UpstreamID(value: 3))
        #expect(reading(&state) == nil)
    }

    @Test func `get nothing more when the store closes nothing`() {
        var state = UpstreamLaneState()
        state.connect(first, windowSize: 1)
        let later = now.adding(seconds: 61)
        #expect(reading(&state) == UpstreamID(value: 0))
        state.take((1...10_000).map(message), after: UpstreamID(value: 0), isAll: false)
        state.endPumping()
        _ = state.nextStep(now: later)
        state.endPumping()
        if case .some = state.nextStep(now: later) { Issue.record("goes on") }
        state.closed([UpstreamID(value: 1)])
        #expect(reading(&state) == UpstreamID(value: 10_000))
    }
}
