import COpenSSL

/// What a client needs for TLS, shared by its connections. The server's certificate and host name are always verified.
public final class TLSClientContext: Sendable {
    /// Whose signature makes a server's certificate good.
    public enum Trust: Sendable {
        /// The authorities that the operating system trusts.
        case system
        /// Only the authorities in this PEM text.
        case authorities(pem: [UInt8])
    }

    /// Tests set what the library offers.
    let context: TLSContext

    /// - Parameters:
    ///   - protocols: ALPN names to offer, in order of preference. Empty: no ALPN.
    ///   - identity: The client's own certificate, for servers that ask for one.
    public init(
        trust: Trust, protocols: [String] = [], identity: TLSIdentity? = nil, readAhead: Bool = false
    ) throws(TransportError) {
        context = try TLSContext(method: TLS_client_method(), protocols: protocols, readAhead: readAhead)
        SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        switch trust {
        case .system: SSL_CTX_set_default_verify_paths(context.handle)
        case .authorities(let pem): try Self.add(PEM.certificates(pem), to: context)
        }
        if !context.protocolList.isEmpty {
            SSL_CTX_set_alpn_protos(context.handle, context.protocolList, UInt32(context.protocolList.count))
        }
        if let identity { try context.use(identity) }
    }

    private static func add(_ authorities: [OpaquePointer], to context: TLSContext) throws(TransportError) {
        let store = SSL_CTX_get_cert_store(context.handle)
        for certificate in authorities {
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
        }
        ERR_clear_error()
    }

    func makeEngine(descriptor: Int32, serverName: String) -> OpenSSLEngine? {
        OpenSSLEngine(context: context, descriptor: descriptor, role: .client(serverName: serverName))
    }
}
