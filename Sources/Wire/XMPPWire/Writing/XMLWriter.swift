/// Writes XML as bytes of UTF-8. Whatever the texts contain, the result is well-formed.
///
/// Characters that XML 1.0 has no place for become U+FFFD: a reference could not name them either.
public struct XMLWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Character data. `>` is escaped for the sake of `]]>`, CR because it would be read as LF.
    public mutating func write(text: String) {
        var text = text
        text.withUTF8 { write(utf8: $0) }
    }

    /// Character data that is UTF-8 already.
    public mutating func write(text: [UInt8]) {
        text.withUnsafeBufferPointer { write(utf8: $0) }
    }

    private mutating func write(utf8 text: UnsafeBufferPointer<UInt8>) {
        var plain = 0
        var place = 0
        while place < text.count {
            guard let escape = Self.escape(in: text, at: place) else {
                place += 1
                continue
            }
            bytes.append(contentsOf: text[plain..<place])
            write(raw: escape.replacement)
            place += escape.count
            plain = place
        }
        bytes.append(contentsOf: text[plain...])
    }

    /// What stands for the character that begins there; `nil` if it stands for itself.
    private static func escape(
        in text: UnsafeBufferPointer<UInt8>, at place: Int
    ) -> (replacement: StaticString, count: Int)? {
        switch text[place] {
        case UInt8(ascii: "&"): return ("&amp;", 1)
        case UInt8(ascii: "<"): return ("&lt;", 1)
        case UInt8(ascii: ">"): return ("&gt;", 1)
        case 0x0D: return ("&#13;", 1)
        case 0x09, 0x0A: return nil
        case 0..<0x20: return ("\u{FFFD}", 1)
        // U+FFFE and U+FFFF.
        case 0xEF:
            let isNoCharacter = place + 2 < text.count && text[place + 1] == 0xBF && text[place + 2] >= 0xBE
            return isNoCharacter ? ("\u{FFFD}", 3) : nil
        default: return nil
        }
    }

    /// An attribute's value without its quotes. White space is escaped because it would be read as spaces.
    public mutating func write(attributeValue text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": write(raw: "&amp;")
            case "<": write(raw: "&lt;")
            case ">": write(raw: "&gt;")
            case "\"": write(raw: "&quot;")
            case "'": write(raw: "&apos;")
            case "\t", "\n", "\r": write(raw: "&#\(scalar.value);")
            default: write(scalar)
            }
        }
    }

    /// Markup that is known to be good.
    mutating func write(raw text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func write(raw text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        if scalar.isASCII, scalar.value >= 0x20 { return bytes.append(UInt8(truncatingIfNeeded: scalar.value)) }
        bytes.append(
            contentsOf: UTF8.encode(scalar.isXMLCharacter ? scalar : "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }
}

extension Unicode.Scalar {
    /// Source: XML 1.0 §2.2, production `Char`.
    var isXMLCharacter: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }
}
