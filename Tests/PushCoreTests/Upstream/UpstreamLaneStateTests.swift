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

    /// Both connections, with a message each.
    private func busy() -> UpstreamLaneState {
        var state = UpstreamLaneState()
        state.connect(first, windowSize: 5)
        state.connect(second, windowSize: 5)
        let start = state.beginReading() ?? UpstreamID(value: -1)
        let taken = state.take([message(1), message(2)], after: start, isAll: true, now: now)
        #expect(taken.handOvers.map { $0.session === first } == [true, false])
        state.endPumping()
        #expect(state.beginReading() == nil)
        return state
    }

    @Test func `never get what was acknowledged and closed while it was read`() {
        var state = busy()
        state.disconnect(first)
        let start = state.beginReading() ?? UpstreamID(value: -1)
        let read = [message(1), message(2)]
        #expect(state.acknowledge("2", from: "token", by: second) == UpstreamID(value: 2))
        state.closed([UpstreamID(value: 2)])
        let taken = state.take(read, after: start, isAll: true, now: now)
        #expect(taken.handOvers.map(\.message.id.value) == [1])
        state.endPumping()
        #expect(state.outside == [UpstreamID(value: 1)])
    }

    @Test func `get what came back while newer messages were read`() {
        var state = busy()
        #expect(state.accepted(message(3)) != nil)
        state.endPumping()
        state.connect(RecordingSession(), windowSize: 5)
        let start = state.beginReading() ?? UpstreamID(value: -1)
        #expect(start == UpstreamID(value: 3))
        state.disconnect(first)
        #expect(state.take([message(4)], after: start, isAll: true, now: now).handOvers.isEmpty)
        state.endPumping()
        #expect(state.beginReading() == UpstreamID(value: 0))
    }

    @Test func `get nothing twice at a time`() {
        var state = busy()
        let third = message(3)
        #expect(state.accepted(third) != nil)
        #expect(state.accepted(message(4)) == nil, "the third is being handed over")
        state.endPumping()
        #expect(state.beginReading() == third.id)
        #expect(state.beginReading() == nil)
    }

    @Test func `get nothing more when the store closes nothing`() {
        var state = UpstreamLaneState()
        state.connect(first, windowSize: 20_000)
        let start = state.beginReading() ?? UpstreamID(value: 0)
        _ = state.take((1...10_000).map(message), after: start, isAll: false, now: now.adding(seconds: 61))
        state.endPumping()
        #expect(state.beginReading() == nil)
        state.closed([UpstreamID(value: 1)])
        #expect(state.beginReading() != nil)
    }
}
