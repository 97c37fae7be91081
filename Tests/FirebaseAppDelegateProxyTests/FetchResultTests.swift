import FirebasePlatform
import Synchronization
import Testing

@Suite struct `Rule 13 - answers to a background push` {
    struct Row: Sendable, CustomTestStringConvertible {
        var results: [FetchResult]
        var merged: FetchResult
        var testDescription: String { "\(results) is \(merged)" }

        init(_ results: [FetchResult], _ merged: FetchResult) {
            self.results = results
            self.merged = merged
        }
    }

    static let rows = [
        Row([], .noData), Row([.newData], .newData), Row([.noData], .noData), Row([.failed], .failed),
        Row([.failed, .failed], .failed), Row([.failed, .noData], .noData), Row([.noData, .failed], .noData),
        Row([.failed, .newData], .newData), Row([.newData, .noData], .newData),
        Row([.noData, .failed, .newData], .newData), Row([.noData, .noData], .noData),
    ]

    @Test(arguments: rows) func `are merged, whatever their order`(row: Row) {
        #expect(FetchResult.merged(row.results) == row.merged)
        #expect(FetchResult.merged(row.results.reversed()) == row.merged)
    }

    @Test(arguments: rows) func `are counted when all are there, and the system is answered once, on main`(row: Row) {
        let world = VoteWorld()
        let answers = row.results.map { _ in world.vote.participant() }
        world.vote.close()
        for (answer, result) in zip(answers, row.results) {
            world.executor.drain()
            #expect(world.heard.isEmpty)
            answer(result)
        }
        world.executor.drain()
        #expect(world.heard == [VoteWorld.Answer(result: row.merged, isOnMain: true)])
    }

    @Test func `wait until nobody can be added any more`() {
        let world = VoteWorld()
        world.vote.participant()(.newData)
        world.executor.drain()
        #expect(world.heard.isEmpty)
        world.vote.participant()(.noData)
        world.vote.close()
        world.executor.drain()
        #expect(world.heard.map(\.result) == [.newData])
    }

    @Test func `count once for who answers twice, then and later`() {
        let world = VoteWorld()
        let (first, second) = (world.vote.participant(), world.vote.participant())
        world.vote.close()
        first(.failed)
        first(.newData)
        world.executor.drain()
        #expect(world.heard.isEmpty)
        second(.failed)
        first(.newData)
        second(.newData)
        world.vote.close()
        world.executor.drain()
        #expect(world.heard.map(\.result) == [.failed])
    }

    @Test func `are passed on at once on main`() {
        let world = VoteWorld()
        world.executor.onMain {
            world.vote.participant()(.noData)
            world.vote.close()
        }
        #expect(world.heard.map(\.result) == [.noData])
    }

    @Test func `may come from many threads`() async {
        let world = VoteWorld()
        let answers = (0..<200).map { _ in world.vote.participant() }
        world.vote.close()
        await withTaskGroup { group in
            for (number, answer) in answers.enumerated() {
                group.addTask { answer(number == 77 ? .newData : .failed) }
            }
        }
        world.executor.drain()
        #expect(world.heard == [VoteWorld.Answer(result: .newData, isOnMain: true)])
    }

    @Test func `have the numbers of the system`() {
        #expect([FetchResult.newData, .noData, .failed].map(\.rawValue) == [0, 1, 2])
    }
}

/// A vote, and what the system heard of it.
private final class VoteWorld: Sendable {
    struct Answer: Sendable, Equatable {
        var result: FetchResult
        var isOnMain: Bool
    }

    let executor = ManualExecutor()
    let vote: FetchResultVote
    private let answers: Answers

    private final class Answers: Sendable {
        let all = Mutex<[Answer]>([])
    }

    init() {
        let answers = Answers()
        self.answers = answers
        vote = FetchResultVote(on: executor) { [executor] result in
            answers.all.withLock { $0.append(Answer(result: result, isOnMain: executor.isCurrent)) }
        }
    }

    var heard: [Answer] { answers.all.withLock { $0 } }
}
