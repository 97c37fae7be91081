public enum MessagingMessageStatus: Int, Sendable, Hashable {
    /// The message was empty.
    case unknown = 0
    /// Anything else, messages that came before included.
    case new = 1
}

/// What the SDK thinks of a message that the app handed to it.
public final class MessagingMessageInfo: Sendable {
    public let status: MessagingMessageStatus

    init(status: MessagingMessageStatus) {
        self.status = status
    }
}
