/// What an app wants of a topic. The numbers are those of the stored queue.
enum TopicAction: Int, Sendable, Hashable {
    case subscribe = 0
    case unsubscribe = 1
}

/// Hears how a topic call ended: `nil` for success.
typealias TopicAnswer = @Sendable ((any Error)?) -> Void
