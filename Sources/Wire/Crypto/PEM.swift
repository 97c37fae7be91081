internal import Bytes

/// Keys and certificates as text. Source: RFC 7468; read tolerantly, because people paste them through forms and
/// environment variables, written strictly.
public enum PEM {
    /// One block: what stands after `BEGIN`, and the bytes.
    public struct Block: Equatable, Sendable {
        /// `PRIVATE KEY`, `CERTIFICATE`…; empty when the text had no BEGIN line.
        public var label: String
        public var der: [UInt8]
    }

    public static let maximumTextBytes = 256 << 10

    /// Lines of 64 characters, the last one ended too.
    public static func encode(_ label: String, _ der: [UInt8]) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var rest = Substring(Base64.encode(der))
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }

    /// The blocks of a text, in order.
    ///
    /// Taken in stride: CRLF or blanks for line ends, the two characters `\n` for them (once or doubled), quotes around
    /// the whole, surrounding blanks, text between the blocks, a missing last line end, and base64 without any BEGIN
    /// and END line.
    public static func blocks(in text: String) throws(KeyError) -> [Block] {
        guard text.utf8.count <= maximumTextBytes else { throw .tooLarge }
        var rest = unescaped(Array(text.utf8))[...]
        var blocks: [Block] = []
        while let begin = rest.firstRange(of: beginMark) {
            rest = rest[begin.upperBound...]
            guard let labelEnd = rest.firstRange(of: dashes) else { throw .notPEM }
            let label = rest[..<labelEnd.lowerBound]
            rest = rest[labelEnd.upperBound...]
            guard let end = rest.firstRange(of: endMark + label + dashes) else { throw .missingEndLine }
            blocks.append(try block(labelled: label, content: rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return try blocks.isEmpty ? [bareBlock(rest)] : blocks
    }

    private static let dashes = Array("-----".utf8)
    private static let beginMark = Array("-----BEGIN ".utf8)
    private static let endMark = Array("-----END ".utf8)

    private static func block(
        labelled label: ArraySlice<UInt8>, content: ArraySlice<UInt8>
    ) throws(KeyError) -> Block {
        let label = String(decoding: label, as: UTF8.self)
        guard !label.contains("ENCRYPTED"), !content.contains(UInt8(ascii: ":")) else { throw .encrypted }
        guard let der = base64(content), !der.isEmpty else { throw .notBase64 }
        return Block(label: label, der: der)
    }

    private static func bareBlock(_ text: ArraySlice<UInt8>) throws(KeyError) -> Block {
        guard !text.allSatisfy(isBlank) else { throw .empty }
        guard text.firstRange(of: dashes) == nil, let der = base64(text) else { throw .notPEM }
        return Block(label: "", der: der)
    }

    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        Base64.decode(String(decoding: text.filter { !isBlank($0) }, as: UTF8.self))
    }

    /// Takes quotes away, and turns backslashes with an `n` or `r` into a line end.
    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var backslashes = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "\\"): backslashes += 1
            case UInt8(ascii: "n") where backslashes > 0, UInt8(ascii: "r") where backslashes > 0:
                output.append(UInt8(ascii: "\n"))
                backslashes = 0
            case UInt8(ascii: "\""), UInt8(ascii: "'"): backslashes = 0
            default:
                output.append(contentsOf: repeatElement(UInt8(ascii: "\\"), count: backslashes))
                output.append(byte)
                backslashes = 0
            }
        }
        return output
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || 0x09...0x0D ~= byte
    }
}

extension ArraySlice<UInt8> {
    /// Where `pattern` first occurs.
    fileprivate func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard let first = pattern.first else { return nil }
        var position = startIndex
        while let place = self[position...].firstIndex(of: first) {
            guard endIndex - place >= pattern.count else { return nil }
            if self[place..<place + pattern.count].elementsEqual(pattern) { return place..<place + pattern.count }
            position = place + 1
        }
        return nil
    }
}
