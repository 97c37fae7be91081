internal import Bytes
internal import Glibc
public import Timekeeping

/// A small certificate authority of one's own: P-256 keys, ECDSA with SHA-256. Source: RFC 5280.
public struct CertificateAuthority: Sendable {
    public let certificate: X509Certificate
    public let privateKey: P256PrivateKey

    /// - Throws: `KeyError.mismatch` when the key is not the certificate's.
    public init(certificate: X509Certificate, privateKey: P256PrivateKey) throws(KeyError) {
        guard privateKey.publicKey.der == certificate.publicKeyDER else { throw .mismatch }
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// Makes a new authority.
    ///
    /// - Parameter validity: From when until when it may sign; ten years is usual for one that nobody else trusts.
    public static func generate(
        name: String, validity: ClosedRange<Timestamp>
    ) throws(CryptoError) -> CertificateAuthority {
        let key = try P256PrivateKey.generate()
        let subject = DistinguishedName(commonName: name)
        let extensions: [X509Certificate.Extension] = [
            .init(.basicConstraints, isCritical: true, value: DER.sequence([DER.element(.boolean, [0xFF])])),
            .init(.keyUsage, isCritical: true, value: DER.bitString([0b0000_0110], unusedBits: 1)),
            .init(.subjectKeyIdentifier, value: DER.element(.octetString, keyIdentifier(of: key.publicKey))),
        ]
        let certificate = try sign(
            subject: subject, publicKey: key.publicKey, validity: validity, extensions: extensions,
            issuer: subject, issuerKey: key)
        do {
            return try CertificateAuthority(certificate: certificate, privateKey: key)
        } catch {
            throw .library("\(error)")
        }
    }

    /// Issues a certificate for a TLS server, with a new key.
    ///
    /// - Parameter names: DNS names and IP addresses: `localhost`, `127.0.0.1`, `::1`. The first is the common name.
    public func issueServer(names: [String], validity: ClosedRange<Timestamp>) throws(CryptoError) -> CertifiedKey {
        let alternativeNames = DER.sequence(names.map(Self.alternativeName))
        return try issue(
            subject: DistinguishedName(commonName: names.first.map { String($0.prefix(64)) }), validity: validity,
            purpose: .serverAuthentication,
            extensions: [.init(.subjectAlternativeName, isCritical: false, value: alternativeNames)])
    }

    /// Issues a certificate for a TLS client, with a new key.
    public func issueClient(
        subject: DistinguishedName, validity: ClosedRange<Timestamp>, extensions: [X509Certificate.Extension] = []
    ) throws(CryptoError) -> CertifiedKey {
        try issue(
            subject: subject, validity: validity, purpose: .clientAuthentication, extensions: extensions)
    }

    private func issue(
        subject: DistinguishedName, validity: ClosedRange<Timestamp>, purpose: ASN1Identifier,
        extensions: [X509Certificate.Extension]
    ) throws(CryptoError) -> CertifiedKey {
        let key = try P256PrivateKey.generate()
        let authorityIdentifier = DER.element(
            .context(0, constructed: false), Self.keyIdentifier(of: privateKey.publicKey))
        let standard: [X509Certificate.Extension] = [
            .init(.basicConstraints, isCritical: true, value: DER.sequence([])),
            .init(.keyUsage, isCritical: true, value: DER.bitString([0b1000_0000], unusedBits: 7)),
            .init(.extendedKeyUsage, value: DER.sequence([DER.objectIdentifier(purpose)])),
            .init(.subjectKeyIdentifier, value: DER.element(.octetString, Self.keyIdentifier(of: key.publicKey))),
            .init(.authorityKeyIdentifier, value: DER.sequence([authorityIdentifier])),
        ]
        let certificate = try Self.sign(
            subject: subject, publicKey: key.publicKey, validity: validity, extensions: standard + extensions,
            issuer: self.certificate.subject, issuerKey: privateKey)
        return CertifiedKey(unchecked: [certificate], .p256(key))
    }

    private static func sign(
        subject: DistinguishedName, publicKey: P256PublicKey, validity: ClosedRange<Timestamp>,
        extensions: [X509Certificate.Extension], issuer: DistinguishedName, issuerKey: P256PrivateKey
    ) throws(CryptoError) -> X509Certificate {
        let algorithm = DER.sequence([DER.objectIdentifier(.ecdsaWithSHA256)])
        // Positive and at most 20 bytes. Source: RFC 5280 §4.1.2.2.
        let serialNumber = [UInt8](arrayLiteral: 0x40) + SecureRandom.bytes(15)
        let body = DER.sequence([
            DER.element(.context(0, constructed: true), DER.unsignedInteger([2])),
            DER.unsignedInteger(serialNumber), algorithm, issuer.der,
            DER.sequence([DER.time(validity.lowerBound), DER.time(validity.upperBound)]), subject.der, publicKey.der,
            DER.element(.context(3, constructed: true), DER.sequence(extensions.map(\.encoded))),
        ])
        let signature = try issuerKey.signDER(body)
        do {
            return try X509Certificate(der: DER.sequence([body, algorithm, DER.bitString(signature)]))
        } catch {
            throw .library("\(error)")
        }
    }

    private static func keyIdentifier(of key: P256PublicKey) -> [UInt8] {
        SHA1.hash(key.x963)
    }

    private static func alternativeName(_ name: String) -> [UInt8] {
        if let address = address(name) { return DER.element(.context(7, constructed: false), address) }
        return DER.element(.context(2, constructed: false), Array(name.utf8))
    }

    /// The 4 or 16 bytes of an IP address in text.
    private static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}

extension X509Certificate.Extension {
    fileprivate var encoded: [UInt8] {
        var fields = [DER.objectIdentifier(identifier)]
        if isCritical { fields.append(DER.element(.boolean, [0xFF])) }
        fields.append(DER.element(.octetString, value))
        return DER.sequence(fields)
    }
}
