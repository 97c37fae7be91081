import CLinux
import COpenSSL
import TLSRecordWire

/// OpenSSL on the socket itself: no buffers of ours in between.
final class OpenSSLEngine: TLSEngine {
    enum Role {
        case server
        /// The name to ask for and to verify; a numeric address is verified as such.
        case client(serverName: String)
    }

    let ssl: OpaquePointer
    private let context: TLSContext
    private let descriptor: Int32
    /// Those whose records are handed over after the handshake keep its secrets until then.
    private var handOver: RecordHandOver?
    private var isBroken = false
    /// The last read of the socket gave fewer bytes than it asked for.
    fileprivate var isSocketDrained = false

    /// - Parameter ciphers: To seal and open records with ours after the handshake; `nil` leaves them to the library.
    init?(context: TLSContext, descriptor: Int32, role: Role, ciphers: RecordCiphers? = nil) {
        guard let ssl = SSL_new(context.handle) else { return nil }
        self.ssl = ssl
        self.context = context
        self.descriptor = descriptor
        guard SSL_set_fd(ssl, descriptor) == 1 else { return nil }
        watchReads()
        handOver = ciphers.map { RecordHandOver(of: ssl, to: $0) }
        switch role {
        case .server: SSL_set_accept_state(ssl)
        case .client(let name):
            SSL_set_connect_state(ssl)
            guard expect(name) else { return nil }
        }
    }

    deinit {
        handOver = nil
        SSL_free(ssl)
    }

    /// The socket's BIO belongs to `ssl`, which does not outlive this object.
    private func watchReads() {
        guard let socket = SSL_get_rbio(ssl) else { return }
        BIO_set_callback_arg(socket, Unmanaged.passUnretained(self).toOpaque().assumingMemoryBound(to: CChar.self))
        BIO_set_callback_ex(socket, noteRead)
    }

    private func expect(_ serverName: String) -> Bool {
        guard pharos_address_family(serverName) == 0 else {
            return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), serverName) == 1
        }
        return pharos_SSL_set_tlsext_host_name(ssl, serverName) == 1 && SSL_set1_host(ssl, serverName) == 1
    }

    func handshake() -> TLSStep {
        forgetErrors()
        let code = SSL_do_handshake(ssl)
        if code == 1 { return .done(security, handedOver() ?? self) }
        switch SSL_get_error(ssl, code) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waiting
        default: return .failed(failure())
        }
    }

    private func handedOver() -> RecordEngine? {
        defer { handOver = nil }
        return handOver?.engine(descriptor: descriptor)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelRead {
        var count = 0
        forgetErrors()
        let code = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        if code == 1 { return .bytes(count) }
        switch SSL_get_error(ssl, code) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .blocked
        case SSL_ERROR_ZERO_RETURN: return .end(truncated: false)
        case SSL_ERROR_SSL where ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING:
            isBroken = true
            return .end(truncated: true)
        default: return .failed(failure())
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        var count = 0
        forgetErrors()
        let code = SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count)
        if code == 1 { return .bytes(count) }
        switch SSL_get_error(ssl, code) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .blocked
        default: return .failed(failure())
        }
    }

    var holdsAllInput: Bool { isSocketDrained && SSL_has_pending(ssl) == 0 }

    func close() {
        guard !isBroken else { return }
        forgetErrors()
        SSL_shutdown(ssl)
    }

    /// OpenSSL tells of a failure by what is in the thread's queue of errors. Clearing one costs more than a look.
    private func forgetErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    private func failure() -> CloseReason {
        isBroken = true
        let verification = SSL_get_verify_result(ssl)
        if ERR_peek_error() == 0 { return .reset(code: 0) }
        let detail = OpenSSLText.takeError()
        guard verification != X509_V_OK, SSL_is_init_finished(ssl) == 0,
            let words = X509_verify_cert_error_string(Int(verification))
        else { return .tlsFailed(detail: detail) }
        return .tlsFailed(detail: "\(detail): \(String(cString: words))")
    }

    private var security: ConnectionSecurity {
        ConnectionSecurity(
            applicationProtocol: applicationProtocol,
            serverName: SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) },
            peerCertificateDER: peerCertificate, version: String(cString: SSL_get_version(ssl)))
    }

    private var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        guard let name, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    private var peerCertificate: [UInt8]? {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
        defer { X509_free(certificate) }
        let count = i2d_X509(certificate, nil)
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            var cursor = buffer.baseAddress
            initialized = Int(max(0, i2d_X509(certificate, &cursor)))
        }
    }
}

/// What OpenSSL calls around each use of a socket.
private func noteRead(
    _ socket: OpaquePointer?, _ operation: Int32, _: UnsafePointer<CChar>?, _ wanted: Int, _: Int32, _: Int,
    _ result: Int32, _ processed: UnsafeMutablePointer<Int>?
) -> Int {
    if operation == BIO_CB_READ | BIO_CB_RETURN, let socket, let owner = BIO_get_callback_arg(socket) {
        let count = result > 0 ? processed?.pointee ?? 0 : 0
        Unmanaged<OpenSSLEngine>.fromOpaque(owner)._withUnsafeGuaranteedRef { $0.isSocketDrained = count < wanted }
    }
    return Int(result)
}
