internal import HTTPSemantics

/// The text that separates the parts of a body. Source: RFC 2046 §5.1.1.
public struct MultipartBoundary: Sendable, Equatable {
    public let text: String

    /// - Returns: `nil` unless `text` has 1 to 70 of the allowed characters and ends in no space.
    public init?(_ text: String) {
        guard (1...70).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed), text.last != " " else {
            return nil
        }
        self.text = text
    }

    /// Reads the parameter of a content type, as a token or in quotes.
    public init(contentType: String) throws(MultipartError) {
        let pieces = contentType.split(separator: ";").map { $0.trimmingSpaces() }
        guard pieces.first?.lowercased() == "multipart/mixed" else { throw .badContentType }
        let parameter = pieces.dropFirst().first { $0.lowercased().hasPrefix("boundary=") }
        guard var value = parameter?.dropFirst("boundary=".count) else { throw .badContentType }
        if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        guard let boundary = MultipartBoundary(String(value)) else { throw .badContentType }
        self = boundary
    }

    /// The content type of a body that this boundary separates.
    public var contentType: String {
        text.utf8.allSatisfy(Self.isTokenCharacter)
            ? "multipart/mixed; boundary=\(text)" : "multipart/mixed; boundary=\"\(text)\""
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "'"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isTokenCharacter(byte) || "(),/:=? ".utf8.contains(byte)
    }
}
