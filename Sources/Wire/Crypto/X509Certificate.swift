internal import Bytes
public import Timekeeping

/// A certificate: its bytes, and the fields that this project looks at. Source: RFC 5280 §4.
///
/// Reading checks the form only. Trust is decided by TLS, or with `isSigned(by:)`.
public struct X509Certificate: Sendable {
    /// One extension: its value is the DER inside of the octet string.
    public struct Extension: Sendable, Equatable {
        public var identifier: ASN1Identifier
        public var isCritical: Bool
        public var value: [UInt8]

        public init(_ identifier: ASN1Identifier, isCritical: Bool = false, value: [UInt8]) {
            self.identifier = identifier
            self.isCritical = isCritical
            self.value = value
        }
    }

    public let der: [UInt8]
    public let serialNumber: [UInt8]
    public let subject: DistinguishedName
    public let issuer: DistinguishedName
    public let notBefore: Timestamp
    public let notAfter: Timestamp
    /// SubjectPublicKeyInfo.
    public let publicKeyDER: [UInt8]
    public let extensions: [Extension]
    private let signedPart: [UInt8]
    private let signatureAlgorithm: ASN1Identifier
    private let signature: [UInt8]

    public init(der: [UInt8]) throws(KeyError) {
        do {
            try self.init(reading: der)
        } catch {
            throw .damaged("certificate")
        }
    }

    private init(reading der: [UInt8]) throws(DERError) {
        var outer = try DERReader(der).onlyElement(.sequence).reader
        let body = try outer.next(.sequence)
        signatureAlgorithm = try Self.algorithm(outer.next(.sequence))
        signature = Array(try outer.next(.bitString).content.dropFirst())
        guard outer.isAtEnd else { throw .trailingBytes }
        self.der = der
        signedPart = Array(body.whole)

        var fields = body.reader
        _ = try fields.nextIf(.context(0, constructed: true))
        serialNumber = Array(try fields.next(.integer).content)
        _ = try fields.next(.sequence)
        issuer = try DistinguishedName(reading: fields.next(.sequence))
        var validity = try fields.next(.sequence).reader
        guard let start = try validity.next().time, let end = try validity.next().time else { throw .malformed }
        (notBefore, notAfter) = (start, end)
        subject = try DistinguishedName(reading: fields.next(.sequence))
        publicKeyDER = Array(try fields.next(.sequence).whole)
        _ = try fields.nextIf(.context(1, constructed: false))
        _ = try fields.nextIf(.context(2, constructed: false))
        extensions = try fields.nextIf(.context(3, constructed: true)).map(Self.extensions(in:)) ?? []
    }

    private static func algorithm(_ element: DERReader.Element) throws(DERError) -> ASN1Identifier {
        var fields = element.reader
        return ASN1Identifier(content: Array(try fields.next(.objectIdentifier).content))
    }

    private static func extensions(in wrapper: DERReader.Element) throws(DERError) -> [Extension] {
        var list = try wrapper.reader.onlyElement(.sequence).reader
        var extensions: [Extension] = []
        while !list.isAtEnd {
            var fields = try list.next(.sequence).reader
            let identifier = ASN1Identifier(content: Array(try fields.next(.objectIdentifier).content))
            let isCritical = try fields.nextIf(.boolean)?.content.first == 0xFF
            extensions.append(
                Extension(
                    identifier, isCritical: isCritical, value: Array(try fields.next(.octetString).content)))
        }
        return extensions
    }
}

extension X509Certificate {
    /// Reads the first certificate of a PEM text.
    public init(pem: String) throws(KeyError) {
        guard let first = try X509Certificate.chain(pem: pem).first else { throw .notPEM }
        self = first
    }

    /// All certificates of a PEM text, in order.
    public static func chain(pem: String) throws(KeyError) -> [X509Certificate] {
        let blocks = try PEM.blocks(in: pem)
        let certificates = blocks.filter { $0.label.hasSuffix("CERTIFICATE") || $0.label.isEmpty }
        if certificates.isEmpty, blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }) {
            throw .privateKeyInsteadOfCertificate
        }
        var chain: [X509Certificate] = []
        for block in certificates { chain.append(try X509Certificate(der: block.der)) }
        guard !chain.isEmpty else { throw .notPEM }
        return chain
    }

    public var pem: String { PEM.encode("CERTIFICATE", der) }

    /// SHA-256 of the whole certificate, lower-case hexadecimal.
    public var fingerprint: String { Hex.encode(SHA256.hash(der)) }

    public func isValid(at time: Timestamp) -> Bool {
        notBefore <= time && time <= notAfter
    }

    /// Whether the issuer's key made the signature. ECDSA P-256 and RSA, both with SHA-256; others are never signed.
    public func isSigned(by authority: X509Certificate) -> Bool {
        guard issuer == authority.subject, let key = KeyHandle(publicKeyDER: authority.publicKeyDER) else {
            return false
        }
        switch (signatureAlgorithm, key.kind) {
        case (.ecdsaWithSHA256, .p256), (.rsaWithSHA256, .rsa):
            return key.isValid(signature: signature, for: signedPart)
        default: return false
        }
    }

    /// The value of an extension.
    public func value(of identifier: ASN1Identifier) -> [UInt8]? {
        extensions.first { $0.identifier == identifier }?.value
    }

    /// The DNS names that a server certificate is for.
    public var dnsNames: [String] {
        alternativeNames(tag: 2).compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// The addresses that a server certificate is for, 4 or 16 bytes each.
    public var addresses: [[UInt8]] {
        alternativeNames(tag: 7).map { Array($0) }
    }

    private func alternativeNames(tag: UInt8) -> [ArraySlice<UInt8>] {
        guard let value = value(of: .subjectAlternativeName),
            var names = try? DERReader(value).onlyElement(.sequence).reader
        else { return [] }
        var found: [ArraySlice<UInt8>] = []
        while let name = try? names.next() {
            if name.tag == .context(tag, constructed: false) { found.append(name.content) }
        }
        return found
    }
}

extension X509Certificate: Equatable {
    public static func == (left: X509Certificate, right: X509Certificate) -> Bool {
        left.der == right.der
    }
}
