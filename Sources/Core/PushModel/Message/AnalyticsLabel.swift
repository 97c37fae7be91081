/// A sender's label for reports: `[a-zA-Z0-9-_.~%]{1,50}`.
public struct AnalyticsLabel: Hashable, Sendable {
    public static let maximumCharacters = 50

    public let text: String

    /// `nil` when the text is not a label.
    public init?(_ text: some StringProtocol) {
        guard (1...Self.maximumCharacters).contains(text.utf8.count),
            text.utf8.allSatisfy(TopicName.allows)
        else { return nil }
        self.text = String(text)
    }
}
