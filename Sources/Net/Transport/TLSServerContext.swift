import COpenSSL
import TLSRecordWire

/// What a server needs for TLS, shared by all its connections.
public final class TLSServerContext: Sendable {
    /// Whether clients are asked for a certificate.
    public enum ClientCertificates: Sendable {
        case ignored
        /// Asked for, not required and not verified: the handler judges `ConnectionSecurity.peerCertificateDER`.
        case requested
    }

    private let context: TLSContext
    let handsOverRecords: Bool

    /// - Parameters:
    ///   - protocols: ALPN names in order of preference; a client that offers only others is refused. Empty: no ALPN.
    ///   - readAhead: Fewer system calls for busy connections, a little more memory for each.
    ///   - handsOverRecords: For long connections of TLS 1.3: after the handshake the library's object goes, and records
    ///     are our own (`TLSRecordWire`). Excludes reading ahead.
    public init(
        identity: TLSIdentity, protocols: [String] = [], clientCertificates: ClientCertificates = .ignored,
        readAhead: Bool = false, handsOverRecords: Bool = false
    ) throws(TransportError) {
        self.handsOverRecords = handsOverRecords
        context = try TLSContext(
            method: TLS_server_method(), protocols: protocols, readAhead: readAhead && !handsOverRecords)
        if handsOverRecords { try RecordHandOver.prepare(context) }
        try context.use(identity)
        if !context.protocolList.isEmpty {
            let owner = Unmanaged.passUnretained(context).toOpaque()
            SSL_CTX_set_alpn_select_cb(context.handle, selectProtocol, owner)
        }
        if clientCertificates == .requested {
            SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER) { _, _ in 1 }
        }
    }

    /// - Parameter ciphers: Those of the connection's thread; `nil` leaves records to the library.
    func makeEngine(descriptor: Int32, ciphers: RecordCiphers?) -> OpenSSLEngine? {
        OpenSSLEngine(context: context, descriptor: descriptor, role: .server, ciphers: ciphers)
    }
}

/// Chooses the first of our protocols that the client offers. The context outlives its connections, which hold it.
private func selectProtocol(
    _: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32, _ owner: UnsafeMutableRawPointer?
) -> Int32 {
    guard let owner, let offered, let chosen else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let ours = Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue().protocolList
    var match: UnsafeMutablePointer<UInt8>?
    let outcome = ours.withUnsafeBufferPointer {
        SSL_select_next_proto(&match, chosenCount, $0.baseAddress, UInt32($0.count), offered, offeredCount)
    }
    guard outcome == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    // The match may lie in our own list, whose memory belongs to the context and does not move.
    chosen.pointee = UnsafePointer(match)
    return SSL_TLSEXT_ERR_OK
}
