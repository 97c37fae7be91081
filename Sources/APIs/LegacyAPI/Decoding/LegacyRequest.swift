import PushModel

/// A legacy request to send, read and not yet looked up.
struct LegacyRequest: Sendable, Equatable {
    /// Source: legacy HTTP, "Targets".
    enum Target: Sendable, Equatable {
        /// Neither `to` nor `registration_ids` nor `condition`.
        case nobody
        /// One token, FID or notification key.
        case one(String)
        /// In the order sent.
        case many([String])
        case topic(TopicName)
        /// The text, negation allowed.
        case condition(String)
    }

    var target: Target
    /// What to send, or what is wrong with it in a way that every recipient's result repeats.
    var content: Result<LegacyContent, LegacyErrorCode>
    /// Check everything, deliver nothing.
    var isDryRun: Bool

    static let maximumTokens = 1000
}

/// A body that nothing can be made of: HTTP 400 with this text.
package struct LegacyFormatError: Error, Sendable, Equatable {
    package var text: String
}
