import COpenSSL

/// Certificates and keys out of PEM text (RFC 7468).
enum PEM {
    /// Every certificate in the text, in order. The caller frees them.
    static func certificates(_ text: [UInt8]) throws(TransportError) -> [OpaquePointer] {
        guard let source = memory(text) else { throw .tls(detail: "out of memory") }
        defer { BIO_free(source) }
        var found: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(source, nil, refusePassword, nil) { found.append(certificate) }
        let detail = OpenSSLText.takeError()
        guard !found.isEmpty else { throw .invalidCertificate(detail: detail) }
        return found
    }

    /// The first private key in the text. The caller frees it.
    static func privateKey(_ text: [UInt8]) throws(TransportError) -> OpaquePointer {
        guard let source = memory(text) else { throw .tls(detail: "out of memory") }
        defer { BIO_free(source) }
        guard let key = PEM_read_bio_PrivateKey(source, nil, refusePassword, nil) else {
            throw .invalidPrivateKey(detail: OpenSSLText.takeError())
        }
        return key
    }

    private static func memory(_ text: [UInt8]) -> OpaquePointer? {
        guard let count = Int32(exactly: text.count), let source = BIO_new(BIO_s_mem()) else { return nil }
        BIO_write(source, text, count)
        return source
    }
}

/// Answers the library's question for a pass phrase; without it, OpenSSL would ask on the terminal.
private func refusePassword(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
