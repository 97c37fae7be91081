public import Bytes
internal import COpenSSL

extension CertifiedKey {
    /// Opens a .p12 file, also one with the old ciphers that the macOS key chain still writes. Source: RFC 7292.
    public init(pkcs12 file: [UInt8], password: Secret<String>) throws(KeyError) {
        guard file.count <= PEM.maximumTextBytes else { throw .tooLarge }
        guard let archive = PKCS12Archive(file) else { throw .damaged("PKCS #12 file") }
        let content = try archive.open(password: password.reveal())
        guard let key = KeyHandle(privateKeyDER: content.privateKey) else { throw .damaged("private key") }
        var chain: [X509Certificate] = []
        for der in content.certificates { chain.append(try X509Certificate(der: der)) }
        try self.init(chain: chain, privateKey: PrivateKey(key))
    }
}

/// Owns a `PKCS12`.
private struct PKCS12Archive: ~Copyable {
    struct Content {
        var privateKey: [UInt8]
        var certificates: [[UInt8]]
    }

    /// A library context of its own: the old ciphers stay out of reach of everything else.
    ///
    /// Never freed; library contexts may be used by any thread.
    private struct OldCiphers: @unchecked Sendable {
        static let shared = OldCiphers()
        let context: OpaquePointer?

        private init() {
            context = OSSL_LIB_CTX_new()
            _ = OSSL_PROVIDER_load(context, "default")
            _ = OSSL_PROVIDER_load(context, "legacy")
            ERR_clear_error()
        }
    }

    private let pointer: OpaquePointer

    init?(_ file: [UInt8]) {
        let decoded = decodedDER(file) { cursor, length in
            var archive = PKCS12_init_ex(NID_pkcs7_data, OldCiphers.shared.context, nil)
            return d2i_PKCS12(&archive, cursor, length)
        }
        guard let decoded else { return nil }
        pointer = decoded.object
    }

    deinit {
        PKCS12_free(pointer)
    }

    func open(password: String) throws(KeyError) -> Content {
        defer { ERR_clear_error() }
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        guard PKCS12_parse(pointer, password, &key, &certificate, &others) == 1 else { throw .wrongPassword }
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
            pharos_X509_stack_free(others)
        }
        guard let key, let certificate else { throw .damaged("PKCS #12 file") }
        var certificates = [encodedDER { i2d_X509(certificate, $0) }]
        for place in 0..<max(pharos_X509_count(others), 0) {
            certificates.append(encodedDER { i2d_X509(pharos_X509_at(others, place), $0) })
        }
        guard let information = EVP_PKEY2PKCS8(key) else { throw .damaged("private key") }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        return Content(
            privateKey: encodedDER { i2d_PKCS8_PRIV_KEY_INFO(information, $0) }, certificates: certificates)
    }
}
