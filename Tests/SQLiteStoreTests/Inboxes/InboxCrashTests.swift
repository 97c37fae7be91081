import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `A process killed while devices get, acknowledge and send messages` {
    /// After how many answers each process is killed.
    static let rounds = [3, 150, 700, 60]

    @Test func `loses nothing, and brings nothing again that was acknowledged`() throws {
        let directory = TemporaryDirectory()
        var told = Told()
        for round in Self.rounds {
            let fresh = Told(try Probe(directory.data.path, work: "inbox").linesUntilKilled(after: round))
            #expect(fresh.numbers.isDisjoint(with: told.numbers))
            told.add(fresh)
            let store = try directory.open(role: .server)
            try check(store, told)
            store.close()
        }
    }

    private func check(_ store: SQLiteStore, _ told: Told) throws {
        let project = try #require(ProjectID("demo-probe").flatMap { store.project(id: $0) })
        let waiting = Set(
            try (1...8 as ClosedRange<UInt64>).flatMap { device in
                try store.inbox(of: device, after: InboxScene.start, limit: .max).map(\.id.value)
            })
        #expect(told.waiting.isSubset(of: waiting))
        #expect(told.acknowledged.isDisjoint(with: waiting))

        let open = try store.openUpstream(of: project.number, after: .first, limit: .max)
        let receipts = open.filter { $0.content.kind == .receipt }
            .compactMap { Int64($0.content.messageID.dropFirst(4)) }
        #expect(Set(receipts).count == receipts.count)
        #expect(told.acknowledged.isSubset(of: Set(receipts)))
        // A receipt is there when, and only when, its message is gone.
        #expect(waiting.isDisjoint(with: receipts))
        #expect(told.toBeAcknowledged.isSubset(of: waiting.union(receipts)))

        let sent = open.filter { $0.content.kind == .message }.map(\.content.messageID)
        #expect(Set(sent).count == sent.count)
        #expect(told.sent.map(\.queueID).allSatisfy(Set(sent).contains))
        for origin in told.sent { #expect(try store.knowsUpstream(from: origin)) }
    }
}

/// What processes told before they died.
private struct Told {
    var waiting: Set<Int64> = []
    var toBeAcknowledged: Set<Int64> = []
    var acknowledged: Set<Int64> = []
    var sent: Set<UpstreamOrigin> = []

    var numbers: Set<Int64> { waiting.union(toBeAcknowledged) }

    init() {}

    init(_ lines: [Substring]) {
        for line in lines {
            let words = line.split(separator: " ")
            guard words.count >= 2 else { continue }
            if words[0] == "u", words.count == 3, let device = UInt64(words[1]) {
                sent.insert(
                    UpstreamOrigin(device: device, category: "com.example.probe", queueID: String(words[2])))
            }
            guard let number = Int64(words[1]) else { continue }
            switch words[0] {
            case "a": waiting.insert(number)
            case "b": toBeAcknowledged.insert(number)
            case "s": acknowledged.insert(number)
            default: break
            }
        }
    }

    mutating func add(_ other: Told) {
        waiting.formUnion(other.waiting)
        toBeAcknowledged.formUnion(other.toBeAcknowledged)
        acknowledged.formUnion(other.acknowledged)
        sent.formUnion(other.sent)
    }
}
