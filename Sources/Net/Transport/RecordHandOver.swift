import COpenSSL
import Glibc
import TLSRecordWire

/// The change from a library's TLS object to our own records once a handshake is done: the object takes fourteen
/// kilobytes for each connection, keys a quarter of one.
///
/// The library tells the secrets of a connection to a callback that is meant for a key log.
final class RecordHandOver {
    private let ssl: OpaquePointer
    private let ciphers: RecordCiphers
    private var secrets = HandshakeSecrets()

    /// - Parameter ssl: Is freed after this object.
    init(of ssl: OpaquePointer, to ciphers: RecordCiphers) {
        self.ssl = ssl
        self.ciphers = ciphers
        SSL_set_ex_data(ssl, Self.place, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_set_ex_data(ssl, Self.place, nil)
        secrets.erase()
    }

    /// Where the library keeps a pointer for the application.
    private static let place: Int32 = 0

    /// Lets the connections of a context tell their secrets.
    static func prepare(_ context: TLSContext) throws(TransportError) {
        guard pharos_SSL_CTX_prefer_light_suites(context.handle) == 1 else {
            throw .tls(detail: OpenSSLText.takeError())
        }
        SSL_CTX_set_keylog_callback(context.handle) { ssl, line in
            guard let ssl, let line, let owner = SSL_get_ex_data(ssl, RecordHandOver.place) else { return }
            let text = UnsafeBufferPointer(
                start: UnsafeRawPointer(line).assumingMemoryBound(to: UInt8.self), count: strlen(line))
            Unmanaged<RecordHandOver>.fromOpaque(owner)._withUnsafeGuaranteedRef { $0.secrets.take(text) }
        }
    }

    /// - Returns: `nil` when the connection stays with the library: an older version of TLS, another cipher suite, or
    ///   bytes behind the handshake that the library has read already.
    func engine(descriptor: Int32) -> RecordEngine? {
        guard SSL_version(ssl) == TLS1_3_VERSION, SSL_has_pending(ssl) == 0, SSL_is_server(ssl) == 1,
            let cipher = SSL_get_current_cipher(ssl),
            let suite = TLSCipherSuite(rawValue: SSL_CIPHER_get_protocol_id(cipher))
        else { return nil }
        let layer = secrets.client.withUnsafeBytes { client in
            secrets.server.withUnsafeBytes { server in
                TLSRecordLayer(suite: suite, readSecret: client, writeSecret: server)
            }
        }
        return layer.map { RecordEngine($0, ciphers: ciphers, descriptor: descriptor) }
    }
}
