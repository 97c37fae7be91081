/// The name of a topic without `/topics/`: `[a-zA-Z0-9-_.~%]{1,900}`.
public struct TopicName: Hashable, Sendable, CustomStringConvertible {
    public static let maximumCharacters = 900

    public let text: String

    /// `nil` when the text is not a topic name.
    public init?(_ text: some StringProtocol) {
        guard (1...Self.maximumCharacters).contains(text.utf8.count),
            text.utf8.allSatisfy(Self.allows)
        else { return nil }
        self.text = String(text)
    }

    public var description: String { text }

    static func allows(_ byte: UInt8) -> Bool {
        byte.isURLSafe || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "%")
    }
}
