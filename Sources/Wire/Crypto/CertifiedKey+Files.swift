public import Bytes

/// The first byte of every DER file.
private let sequenceTag: UInt8 = 0x30

extension CertifiedKey {
    /// Reads a certificate in the files that people have: PEM or DER with the key beside it, PEM with both, or .p12.
    ///
    /// - Parameters:
    ///   - keyPEM: `nil` when the file holds the key.
    ///   - password: Of a .p12 file; not looked at for others.
    /// - Returns: `nil` when the file holds one of them alone, or neither.
    public init?(file: [UInt8], keyPEM: String?, password: Secret<String>) throws(KeyError) {
        if let keyPEM {
            try self.init(chain: Self.chain(file), privateKey: PrivateKey(pem: keyPEM))
            return
        }
        let text = String(decoding: file, as: UTF8.self)
        if text.contains("CERTIFICATE-----"), text.contains("PRIVATE KEY-----") {
            try self.init(certificatePEM: text, keyPEM: text)
            return
        }
        guard file.first == sequenceTag, !Self.isKeyOrCertificate(file) else { return nil }
        try self.init(pkcs12: file, password: password)
    }

    private static func chain(_ file: [UInt8]) throws(KeyError) -> [X509Certificate] {
        guard file.first != sequenceTag else { return [try X509Certificate(der: file)] }
        return try X509Certificate.chain(pem: String(decoding: file, as: UTF8.self))
    }

    /// Whether DER is something simpler than a .p12 file.
    private static func isKeyOrCertificate(_ der: [UInt8]) -> Bool {
        do throws(KeyError) {
            _ = try P256PrivateKey(file: der)
            return true
        } catch {
            if case .damaged = error { return false }
            return true
        }
    }
}
