/// The name that a person signs in with: 1 to 64 of the letters a to z, digits and `.`, `_`, `-`, `+`, `@`. Capital
/// letters are taken as small ones.
public struct UserName: Hashable, Sendable, CustomStringConvertible {
    public static let maximumCharacters = 64

    public let text: String

    /// `nil` when the text is no such name.
    public init?(_ text: some StringProtocol) {
        guard 1...Self.maximumCharacters ~= text.utf8.count else { return nil }
        let folded = text.lowercased()
        guard folded.utf8.count == text.utf8.count, folded.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = folded
    }

    public var description: String { text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
