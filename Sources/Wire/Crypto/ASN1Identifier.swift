/// An object identifier: `1.2.840.113635.100.6.3.6`. Source: ITU-T X.690 §8.19.
public struct ASN1Identifier: Hashable, Sendable {
    /// The encoded content, without tag and length.
    let content: [UInt8]

    init(content: [UInt8]) {
        self.content = content
    }

    /// `nil` unless the text is two or more numbers with dots between them, the first 0 to 2.
    public init?(_ text: String) {
        let arcs = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
        guard arcs.count >= 2, arcs.count <= 64, let first = arcs[0], let second = arcs[1], first <= 2,
            second < (first == 2 ? 1 << 32 : 40)
        else { return nil }
        var content = Self.base128(first * 40 + second)
        for arc in arcs.dropFirst(2) {
            guard let arc else { return nil }
            content += Self.base128(arc)
        }
        self.content = content
    }

    private static func base128(_ number: UInt64) -> [UInt8] {
        var digits = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return digits
    }
}

extension ASN1Identifier {
    /// An identifier written in the source.
    private static func known(_ text: String) -> ASN1Identifier {
        guard let identifier = ASN1Identifier(text) else { preconditionFailure("malformed identifier \(text)") }
        return identifier
    }

    static let commonName = known("2.5.4.3")
    static let organization = known("2.5.4.10")
    static let organizationalUnit = known("2.5.4.11")
    static let userID = known("0.9.2342.19200300.100.1.1")
    static let ecdsaWithSHA256 = known("1.2.840.10045.4.3.2")
    static let rsaWithSHA256 = known("1.2.840.113549.1.1.11")
    static let basicConstraints = known("2.5.29.19")
    static let keyUsage = known("2.5.29.15")
    static let extendedKeyUsage = known("2.5.29.37")
    static let subjectAlternativeName = known("2.5.29.17")
    static let subjectKeyIdentifier = known("2.5.29.14")
    static let authorityKeyIdentifier = known("2.5.29.35")
    static let serverAuthentication = known("1.3.6.1.5.5.7.3.1")
    static let clientAuthentication = known("1.3.6.1.5.5.7.3.2")
    /// The bundle ids that an APNs certificate may push to.
    public static let applePushTopics = known("1.2.840.113635.100.6.3.6")
    /// The bundle ids that a VoIP certificate may push to.
    public static let appleVoIPTopics = known("1.2.840.113635.100.6.3.4")
    /// Marks a certificate for the development (sandbox) environment.
    public static let applePushDevelopment = known("1.2.840.113635.100.6.3.1")
    /// Marks a certificate for the production environment.
    public static let applePushProduction = known("1.2.840.113635.100.6.3.2")
}
