#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The topic operations that are not done yet, as batches: one action and the topics it is for.
///
/// A call with the action of the last batch joins that one, any other starts a new one; a topic that is already in the
/// last batch is not asked for twice. Batches run one after the other, so subscribing, unsubscribing and subscribing
/// again happen in that order. What cannot go on now — it waits for its next try, or for a registration — holds back
/// later operations on the same topic only, not the other topics.
///
/// Decides; `TopicQueue` acts.
struct PendingTopics: Sendable {
    /// Requests at a time.
    static let maximumAtOnce = 10
    /// The pause before a further try doubles from one second to this. Unit: seconds.
    static let longestPauseSeconds = 512.0

    struct Entry: Sendable {
        let topic: TopicName
        var answers: [TopicAnswer] = []
        var isRunning = false
        var failures = 0
        /// When the next try is due; `nil` when nothing failed.
        var restsUntil: Date?
    }

    struct Batch: Sendable {
        let id: Int
        let action: TopicAction
        /// In the order of the calls.
        var entries: [Entry]
    }

    /// One topic of one batch.
    struct Operation: Sendable, Hashable {
        let batch: Int
        let action: TopicAction
        let topic: TopicName
    }

    private(set) var batches: [Batch] = []
    private var nextID = 0

    var isEmpty: Bool { batches.isEmpty }

    /// When the next pause ends, `nil` when nothing rests. What is due already goes on when a place or a registration is
    /// there.
    func nextTry(after now: Date) -> Date? {
        batches.lazy.flatMap(\.entries).compactMap(\.restsUntil).filter { $0 > now }.min()
    }

    /// What is asked for, oldest first: the part that outlives the process.
    var contents: [(action: TopicAction, topics: [TopicName])] {
        batches.map { ($0.action, $0.entries.map(\.topic)) }
    }

    /// Adds a call. Everything in the batch it joins is tried again now.
    mutating func add(_ action: TopicAction, _ topic: TopicName, answer: TopicAnswer?) {
        let answers = answer.map { [$0] } ?? []
        guard let last = batches.indices.last, batches[last].action == action else {
            nextID += 1
            batches.append(Batch(id: nextID, action: action, entries: [Entry(topic: topic, answers: answers)]))
            return
        }
        if let index = batches[last].entries.firstIndex(where: { $0.topic == topic }) {
            batches[last].entries[index].answers += answers
        } else {
            batches[last].entries.append(Entry(topic: topic, answers: answers))
        }
        for index in batches[last].entries.indices { batches[last].entries[index].restsUntil = nil }
    }

    /// What may start now; it counts as running until `finish`.
    ///
    /// - Parameter mayRun: Whether an action has the registration it needs.
    mutating func takeRunnable(at now: Date, mayRun: (TopicAction) -> Bool) -> [Operation] {
        var free = Self.maximumAtOnce - batches.lazy.flatMap(\.entries).count(where: \.isRunning)
        var held: Set<TopicName> = []
        var taken: [Operation] = []
        for batch in batches.indices {
            let (id, action) = (batches[batch].id, batches[batch].action)
            let isReady = mayRun(action)
            var isBusy = false
            for index in batches[batch].entries.indices where !held.contains(batches[batch].entries[index].topic) {
                let entry = batches[batch].entries[index]
                if !entry.isRunning {
                    guard isReady, entry.restsUntil.map({ $0 <= now }) ?? true else { continue }
                    if free > 0 {
                        free -= 1
                        batches[batch].entries[index].isRunning = true
                        batches[batch].entries[index].restsUntil = nil
                        taken.append(Operation(batch: id, action: action, topic: entry.topic))
                    }
                }
                isBusy = true
            }
            if isBusy { break }
            held.formUnion(batches[batch].entries.map(\.topic))
        }
        return taken
    }

    /// The operation is over, with success or for good.
    ///
    /// - Returns: Who waits for it.
    mutating func finish(_ operation: Operation) -> [TopicAnswer] {
        guard let (batch, index) = find(operation) else { return [] }
        let entry = batches[batch].entries.remove(at: index)
        if batches[batch].entries.isEmpty { batches.remove(at: batch) }
        return entry.answers
    }

    /// The operation failed for now. It is due again after its pause.
    mutating func postpone(_ operation: Operation, at now: Date) {
        guard let (batch, index) = find(operation) else { return }
        let entry = batches[batch].entries[index]
        let pause = min(Double(1 << min(entry.failures, 30)), Self.longestPauseSeconds)
        batches[batch].entries[index].isRunning = false
        batches[batch].entries[index].failures = entry.failures + 1
        batches[batch].entries[index].restsUntil = now + pause
    }

    /// Whether anybody waits for the answer.
    func isAwaited(_ operation: Operation) -> Bool {
        find(operation).map { !batches[$0].entries[$1].answers.isEmpty } ?? false
    }

    /// Something changed for the better: everything may be tried again at once, and the pauses start over.
    mutating func endPauses() {
        for batch in batches.indices {
            for index in batches[batch].entries.indices {
                batches[batch].entries[index].failures = 0
                batches[batch].entries[index].restsUntil = nil
            }
        }
    }

    /// Nobody will be told any more; the operations stay.
    ///
    /// - Returns: Who waited.
    mutating func takeAnswers() -> [TopicAnswer] {
        var answers: [TopicAnswer] = []
        for batch in batches.indices {
            for index in batches[batch].entries.indices {
                answers += batches[batch].entries[index].answers
                batches[batch].entries[index].answers = []
            }
        }
        return answers
    }

    private func find(_ operation: Operation) -> (batch: Int, entry: Int)? {
        guard let batch = batches.firstIndex(where: { $0.id == operation.batch }),
            let entry = batches[batch].entries.firstIndex(where: { $0.topic == operation.topic })
        else { return nil }
        return (batch, entry)
    }
}
