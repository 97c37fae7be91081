import JSON
import PushCore
import PushModel

/// The body of `batchAdd` and `batchRemove`: `{"to": "/topics/<name>", "registration_tokens": […]}`.
struct TopicBatch: Sendable, Equatable {
    private static let topicPrefix = "/topics/"

    var topic: TopicName
    /// In the order sent, 1 to `TopicLimits.registrationsPerCall`.
    var tokens: [String]

    /// `nil` when the body is anything else.
    init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue(parsing: body, options: JSONOptions(skipsByteOrderMark: true)))?.object,
            let to = object["to"]?.string, to.hasPrefix(Self.topicPrefix),
            let topic = TopicName(to.dropFirst(Self.topicPrefix.count)),
            let list = object["registration_tokens"]?.array,
            (1...TopicLimits.registrationsPerCall).contains(list.count)
        else { return nil }
        let tokens = list.compactMap(\.string)
        guard tokens.count == list.count else { return nil }
        self.topic = topic
        self.tokens = tokens
    }
}
