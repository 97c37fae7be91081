import PushCore
import PushModel
import Testing

@testable import SQLiteStore

@Suite struct `A process killed while it accepts messages` {
    /// After how many answers each process is killed.
    static let rounds = [1, 37, 400, 1300, 90]

    @Test func `loses nothing that it has answered`() throws {
        let directory = TemporaryDirectory()
        var answered: Set<Int64> = []
        for round in Self.rounds {
            let ids = Set(try Probe(directory.data.path).linesUntilKilled(after: round).compactMap { Int64($0) })
            #expect(ids.count >= round)
            #expect(answered.isDisjoint(with: ids))
            answered.formUnion(ids)
            let store = try directory.open(role: .server)
            let pending = try store.pendingDeliveries(after: DeliveryID(value: 0), limit: .max)
            #expect(answered.isSubset(of: Set(pending.map(\.id.value))))
            store.close()
        }
    }
}
