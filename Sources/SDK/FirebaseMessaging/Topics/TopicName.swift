/// The name of a topic, with or without the prefix `/topics/`: both mean the same topic.
///
/// 1 to 900 of `[a-zA-Z0-9-_.~%]`. A `%` stands for itself, so `sport%7Cbaseball` is a name of 16 characters. Source:
/// the header of the official SDK, which checks the characters but leaves the length to the server.
struct TopicName: Sendable, Hashable {
    static let prefix = "/topics/"
    static let maximumCharacters = 900

    /// Without the prefix.
    let bare: String

    /// `nil` when the text is no topic name.
    init?(_ text: String) {
        let bare = Self.hasPrefix(text) ? text.utf8.dropFirst(Self.prefix.utf8.count) : text.utf8[...]
        guard (1...Self.maximumCharacters).contains(bare.count), bare.allSatisfy(Self.allows) else { return nil }
        self.bare = String(decoding: bare, as: UTF8.self)
    }

    /// The form of token mode and of the stored queue.
    var path: String { Self.prefix + bare }

    /// As a segment of a request's path, percent-encoded once. Of the characters that names have, only `%` needs that.
    var pathSegment: String { bare.replacing("%", with: "%25") }

    static func hasPrefix(_ text: String) -> Bool { text.utf8.starts(with: prefix.utf8) }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
