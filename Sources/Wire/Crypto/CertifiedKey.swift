/// A private key of one of the kinds in use.
public enum PrivateKey: Sendable {
    case rsa(RSAPrivateKey)
    case p256(P256PrivateKey)

    init(_ handle: KeyHandle) throws(KeyError) {
        switch handle.kind {
        case .rsa: self = .rsa(try RSAPrivateKey(handle))
        case .p256: self = .p256(try P256PrivateKey(handle))
        case .other(let name): throw .wrongAlgorithm(found: name, wanted: "RSA or EC P-256")
        }
    }

    /// Reads PEM in any of the shapes of `PEM.blocks`.
    public init(pem: String) throws(KeyError) {
        try self.init(.privateKey(inPEM: pem))
    }

    /// PKCS #8, ending with a line end.
    public var pem: String {
        switch self {
        case .rsa(let key): key.pem
        case .p256(let key): key.pem
        }
    }

    /// SubjectPublicKeyInfo.
    public var publicKeyDER: [UInt8] {
        switch self {
        case .rsa(let key): key.publicKey.der
        case .p256(let key): key.publicKey.der
        }
    }
}

/// A certificate with its chain and its private key: what a TLS end shows and proves.
public struct CertifiedKey: Sendable {
    /// The certificate itself first, then those that signed it.
    public let chain: [X509Certificate]
    public let privateKey: PrivateKey

    init(unchecked chain: [X509Certificate], _ privateKey: PrivateKey) {
        self.chain = chain
        self.privateKey = privateKey
    }

    /// - Throws: `KeyError.mismatch` when the key is not that of the first certificate.
    public init(chain: [X509Certificate], privateKey: PrivateKey) throws(KeyError) {
        guard let first = chain.first, first.publicKeyDER == privateKey.publicKeyDER else { throw .mismatch }
        self.init(unchecked: chain, privateKey)
    }

    /// - Parameters:
    ///   - certificatePEM: One or more certificates, the own one first.
    ///   - keyPEM: The key; it may be in the same text.
    public init(certificatePEM: String, keyPEM: String) throws(KeyError) {
        try self.init(chain: X509Certificate.chain(pem: certificatePEM), privateKey: PrivateKey(pem: keyPEM))
    }

    /// The chain as PEM.
    public var certificatePEM: String { chain.map(\.pem).joined() }
    /// The key as PEM.
    public var keyPEM: String { privateKey.pem }
}
