import COpenSSL

/// Owns an OpenSSL context.
///
/// `@unchecked Sendable`: the context is not changed after `init`, and OpenSSL counts its references atomically.
class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer
    /// The protocols for ALPN, in order of preference, in the wire form of RFC 7301 §3.1.
    let protocolList: [UInt8]

    init(method: OpaquePointer?, protocols: [String], readAhead: Bool) throws(TransportError) {
        guard let handle = SSL_CTX_new(method), pharos_SSL_CTX_harden(handle, readAhead ? 1 : 0) == 1 else {
            throw .tls(detail: OpenSSLText.takeError())
        }
        self.handle = handle
        protocolList = protocols.filter { (1...255).contains($0.utf8.count) }.flatMap { name in
            [UInt8(truncatingIfNeeded: name.utf8.count)] + Array(name.utf8)
        }
    }

    deinit {
        SSL_CTX_free(handle)
    }

    func use(_ identity: TLSIdentity) throws(TransportError) {
        let chain = try PEM.certificates(identity.certificateChainPEM)
        defer { for certificate in chain { X509_free(certificate) } }
        let key = try PEM.privateKey(identity.privateKeyPEM)
        defer { EVP_PKEY_free(key) }
        guard let leaf = chain.first, SSL_CTX_use_certificate(handle, leaf) == 1 else {
            throw .invalidCertificate(detail: OpenSSLText.takeError())
        }
        for issuer in chain.dropFirst() where pharos_SSL_CTX_add1_chain_cert(handle, issuer) != 1 {
            throw .invalidCertificate(detail: OpenSSLText.takeError())
        }
        guard SSL_CTX_use_PrivateKey(handle, key) == 1, SSL_CTX_check_private_key(handle) == 1 else {
            throw .invalidPrivateKey(detail: OpenSSLText.takeError())
        }
    }
}

/// A certificate chain, the own certificate first, and its key; both as PEM text.
public struct TLSIdentity: Sendable {
    public var certificateChainPEM: [UInt8]
    public var privateKeyPEM: [UInt8]

    public init(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8]) {
        self.certificateChainPEM = certificateChainPEM
        self.privateKeyPEM = privateKeyPEM
    }
}
