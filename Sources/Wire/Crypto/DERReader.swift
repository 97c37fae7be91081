internal import Timekeeping

/// Why bytes are not the ASN.1 value that was asked for.
enum DERError: Error {
    case truncated, unsupportedTag, unsupportedLength, unexpectedTag, trailingBytes, malformed
}

/// Reads ASN.1 values one after another. Takes definite lengths and one-byte tags, which is all that DER has here.
struct DERReader {
    struct Element {
        let tag: DER.Tag
        let content: ArraySlice<UInt8>
        /// Tag, length and content.
        let whole: ArraySlice<UInt8>

        /// A reader over the elements inside.
        var reader: DERReader { DERReader(content) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = ArraySlice(bytes)
    }

    var isAtEnd: Bool { rest.isEmpty }
    /// The tag of the next element, which is not read.
    var nextTag: DER.Tag? { rest.first.map { DER.Tag($0) } }

    mutating func next() throws(DERError) -> Element {
        guard let tag = rest.first, rest.count >= 2 else { throw .truncated }
        guard tag & 0x1F != 0x1F else { throw .unsupportedTag }
        let (length, headerBytes) = try length()
        guard rest.count - headerBytes >= length else { throw .truncated }
        let whole = rest.prefix(headerBytes + length)
        rest = rest.dropFirst(whole.count)
        return Element(tag: DER.Tag(tag), content: whole.dropFirst(headerBytes), whole: whole)
    }

    mutating func next(_ tag: DER.Tag) throws(DERError) -> Element {
        guard nextTag == tag else { throw .unexpectedTag }
        return try next()
    }

    /// The next element if it has that tag.
    mutating func nextIf(_ tag: DER.Tag) throws(DERError) -> Element? {
        nextTag == tag ? try next() : nil
    }

    /// The element that takes all the bytes.
    func onlyElement(_ tag: DER.Tag) throws(DERError) -> Element {
        var reader = self
        let element = try reader.next(tag)
        guard reader.isAtEnd else { throw .trailingBytes }
        return element
    }

    /// Up to four bytes of length: the bytes at hand are fewer anyway.
    private func length() throws(DERError) -> (length: Int, headerBytes: Int) {
        let first = rest[rest.startIndex + 1]
        guard first >= 0x80 else { return (Int(first), 2) }
        let count = Int(first & 0x7F)
        guard 1...4 ~= count else { throw .unsupportedLength }
        let digits = rest.dropFirst(2).prefix(count)
        guard digits.count == count else { throw .truncated }
        return (digits.reduce(0) { $0 << 8 | Int($1) }, 2 + count)
    }
}

extension DERReader.Element {
    /// The text of any of the string types in use.
    var text: String? {
        switch tag {
        case .utf8String, .printableString, .ia5String: String(validating: content, as: UTF8.self)
        default: nil
        }
    }

    /// UTCTime or GeneralizedTime in the forms of RFC 5280 §4.1.2.5.
    var time: Timestamp? {
        guard let text = String(validating: content, as: UTF8.self), text.utf8.last == UInt8(ascii: "Z") else {
            return nil
        }
        var digits = text.dropLast()
        if tag == .utcTime, let year = Int(digits.prefix(2)) {
            digits = (year < 50 ? "20" : "19") + digits
        }
        guard digits.utf8.count == 14, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let parts = [(0, 4), (4, 2), (6, 2), (8, 2), (10, 2), (12, 2)].map { digits.dropFirst($0).prefix($1) }
        return Timestamp(rfc3339: "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])Z")
    }
}
