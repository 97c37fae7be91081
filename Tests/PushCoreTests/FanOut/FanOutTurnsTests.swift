import PushModel
import Testing

@testable import PushCore

@Suite struct `Turns of fan-outs` {
    private static func project(_ number: UInt64) -> ProjectNumber { ProjectNumber(value: number) }
    private static func message(_ id: Int64) -> MessageID { MessageID(value: id) }

    @Test func `projects take turns whatever the number of their messages`() {
        var turns = FanOutTurns()
        for id in 1...3 as ClosedRange<Int64> { turns.add(Self.message(id), of: Self.project(1)) }
        turns.add(Self.message(10), of: Self.project(2))
        let order = (0..<8).map { _ in turns.next { _ in true }?.value }
        #expect(order == [1, 10, 2, 10, 3, 10, 1, 10])
    }

    @Test func `who must wait is passed over and keeps the place`() {
        var turns = FanOutTurns()
        turns.add(Self.message(1), of: Self.project(1))
        turns.add(Self.message(2), of: Self.project(2))
        #expect(turns.next { $0 == Self.project(2) }?.value == 2)
        #expect(turns.next { $0 == Self.project(2) }?.value == 2)
        #expect(turns.next { _ in true }?.value == 1)
        #expect(turns.next { _ in false } == nil)
    }

    @Test func `what is removed has no turn`() {
        var turns = FanOutTurns()
        turns.add(Self.message(1), of: Self.project(1))
        turns.remove(Self.message(2))
        #expect(!turns.isEmpty)
        turns.remove(Self.message(1))
        #expect(turns.isEmpty)
        #expect(turns.next { _ in true } == nil)
    }
}
