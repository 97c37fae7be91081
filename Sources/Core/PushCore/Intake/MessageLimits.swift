/// How large a message may be. Sizes are bytes of UTF-8 after the dialect's escapes are undone.
public struct MessageLimits: Sendable, Equatable {
    /// Names and values of the data and of the notification together. Source: FCM, "About FCM messages".
    public var maximumBytes: Int
    /// The same for topics and conditions. Source: FCM HTTP v1, `ErrorCode`.
    public var maximumTopicBytes: Int

    public init(maximumBytes: Int = 4096, maximumTopicBytes: Int = 2048) {
        self.maximumBytes = maximumBytes
        self.maximumTopicBytes = maximumTopicBytes
    }
}
