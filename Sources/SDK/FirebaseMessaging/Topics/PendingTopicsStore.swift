import FirebasePlatform
import JSON

/// Where the pending topic operations outlive the process: one value of the user defaults. Who waits for them does not.
struct PendingTopicsStore: Sendable {
    static let key = "com.firebase.messaging.pending-subscriptions"
    private static let maximumBytes = 8 << 20

    let defaults: any DefaultsStore

    func save(_ pending: PendingTopics) {
        defaults.set(pending.isEmpty ? nil : .data(Self.bytes(of: pending)), for: Self.key)
    }

    /// What was stored, oldest batch first. Anything that this SDK would not write is left out.
    func load() -> PendingTopics {
        var pending = PendingTopics()
        let options = JSONOptions(maximumDepth: 8, maximumBytes: Self.maximumBytes)
        guard let bytes = defaults.value(Self.key)?.bytes,
            let batches = (try? JSONValue(parsing: bytes, options: options))?["batches"]?.array
        else { return pending }
        for batch in batches {
            guard let action = batch["action"]?.int64.flatMap(Int.init(exactly:)).flatMap(TopicAction.init) else {
                continue
            }
            for topic in batch["topics"]?.array ?? [] {
                guard let name = topic.string.flatMap(TopicName.init) else { continue }
                pending.add(action, name, answer: nil)
            }
        }
        return pending
    }

    private static func bytes(of pending: PendingTopics) -> [UInt8] {
        let batches = pending.contents.map { batch -> JSONValue in
            [
                "action": .integer(Int64(batch.action.rawValue)),
                "topics": .array(batch.topics.map { .string($0.path) }),
            ]
        }
        let archive: JSONValue = ["batches": .array(batches)]
        return archive.encoded
    }
}
