public import PushModel

/// How far accepted messages are, for those who ask.
public protocol MessageProgressStore: Sendable {
    /// How far a message is. A fan-out is known as long as its events are kept, a message to named recipients until it is
    /// done and then as long as it is among the newest.
    /// - Returns: `nil` when the message is not known, or not any more.
    func progress(of message: MessageID) throws(StoreError) -> MessageProgress?
}

/// How far a message is.
public struct MessageProgress: Sendable, Equatable {
    public var message: MessageID
    public var project: ProjectNumber
    /// Those found so far; all of them when `isSplit`.
    public var recipients: Int
    public var accepted: Int
    public var failed: Int
    public var expired: Int
    /// Whether every recipient has its delivery: a fan-out finds them chunk by chunk.
    public var isSplit: Bool

    public init(
        message: MessageID, project: ProjectNumber, recipients: Int = 0, accepted: Int = 0, failed: Int = 0,
        expired: Int = 0, isSplit: Bool = false
    ) {
        self.message = message
        self.project = project
        self.recipients = recipients
        self.accepted = accepted
        self.failed = failed
        self.expired = expired
        self.isSplit = isSplit
    }

    /// Recipients found that have no outcome yet.
    public var pending: Int { max(0, recipients - accepted - failed - expired) }

    /// Whether every recipient has an outcome.
    public var isDone: Bool { isSplit && pending == 0 }
}
