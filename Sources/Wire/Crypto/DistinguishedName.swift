/// Who a certificate speaks of. Source: RFC 5280 §4.1.2.4.
public struct DistinguishedName: Sendable {
    public var commonName: String?
    public var organization: String?
    public var organizationalUnit: String?
    /// The attribute UID: the bundle id in an APNs certificate, the topic in an MDM certificate.
    public var userID: String?
    /// The bytes, when the name was read from a certificate: issuer and subject are compared by them.
    private let encoded: [UInt8]?

    public init(
        commonName: String? = nil, organization: String? = nil, organizationalUnit: String? = nil,
        userID: String? = nil
    ) {
        self.commonName = commonName
        self.organization = organization
        self.organizationalUnit = organizationalUnit
        self.userID = userID
        encoded = nil
    }

    init(reading element: DERReader.Element) throws(DERError) {
        encoded = Array(element.whole)
        var sets = element.reader
        while !sets.isAtEnd {
            var attributes = try sets.next(.set).reader
            while !attributes.isAtEnd { try read(attributes.next(.sequence)) }
        }
    }

    private mutating func read(_ attribute: DERReader.Element) throws(DERError) {
        var fields = attribute.reader
        let identifier = ASN1Identifier(content: Array(try fields.next(.objectIdentifier).content))
        let text = try fields.next().text
        switch identifier {
        case .commonName: commonName = text
        case .organization: organization = text
        case .organizationalUnit: organizationalUnit = text
        case .userID: userID = text
        default: break
        }
    }

    var der: [UInt8] {
        if let encoded { return encoded }
        let attributes: [(ASN1Identifier, String?)] = [
            (.userID, userID), (.commonName, commonName), (.organizationalUnit, organizationalUnit),
            (.organization, organization),
        ]
        return DER.sequence(
            attributes.compactMap { identifier, text in
                guard let text else { return nil }
                let attribute = DER.sequence([DER.objectIdentifier(identifier), DER.utf8String(text)])
                return DER.element(.set, attribute)
            })
    }
}

extension DistinguishedName: Equatable {
    public static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
        left.der == right.der
    }
}
