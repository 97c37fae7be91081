/// The `name=value` pairs of a header field: `Crypto-Key`, `Encryption`, and the parameters of `Authorization`.
///
/// Pairs are separated by `,` or `;`. Names are compared without regard to case. Source: RFC 9110 §5.6.6 and §11.2,
/// draft-ietf-httpbis-encryption-encoding-03 §3.1.
struct HeaderParameters: Sendable, Equatable {
    static let maximumBytes = 8_192

    private(set) var pairs: [(name: String, value: String)] = []

    /// `nil` for a text of another form, or for a name that comes twice.
    init?(_ text: some StringProtocol, separators: String = ",;") {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        var rest = Array(text.utf8)[...]
        let separators = Array(separators.utf8)
        repeat {
            guard let pair = Self.takePair(&rest, separators: separators), self[pair.name] == nil else { return nil }
            pairs.append(pair)
        } while Self.take(&rest, oneOf: separators)
        guard rest.isEmpty else { return nil }
    }

    subscript(name: String) -> String? {
        pairs.first { $0.name == name.lowercased() }?.value
    }

    static func == (left: HeaderParameters, right: HeaderParameters) -> Bool {
        left.pairs.elementsEqual(right.pairs, by: ==)
    }

    private static func takePair(
        _ rest: inout ArraySlice<UInt8>, separators: [UInt8]
    ) -> (name: String, value: String)? {
        skipSpace(&rest)
        let name = rest.prefix { isTokenCharacter($0) }
        rest = rest.dropFirst(name.count)
        guard !name.isEmpty, take(&rest, oneOf: [UInt8(ascii: "=")]) else { return nil }
        let quote = [UInt8(ascii: "\"")]
        let isQuoted = take(&rest, oneOf: quote)
        let value = rest.prefix { isValueCharacter($0) }
        rest = rest.dropFirst(value.count)
        if isQuoted, !take(&rest, oneOf: quote) { return nil }
        guard !value.isEmpty else { return nil }
        skipSpace(&rest)
        return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, oneOf characters: [UInt8]) -> Bool {
        guard let first = rest.first, characters.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// What base64url, base64 with padding, a signed token and a number are made of.
    private static func isValueCharacter(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "-._~+/=".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
