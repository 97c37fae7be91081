internal import COpenSSL

/// The cipher suites of TLS 1.3 whose records this module seals and opens. Source: RFC 8446 §B.4.
public enum TLSCipherSuite: UInt16, CaseIterable, Sendable {
    case aes128GCM = 0x1301
    case aes256GCM = 0x1302
    case chaCha20Poly1305 = 0x1303

    /// Bytes of the tag behind each record's content.
    static let tagBytes = 16
    /// Bytes of the nonce, and of the vector that it is made from.
    static let nonceBytes = 12
    /// Of any suite.
    static let maximumSecretBytes = 48

    /// Bytes of a traffic secret: as many as the suite's hash has.
    public var secretBytes: Int { self == .aes256GCM ? 48 : 32 }

    /// Bytes of what is kept for one direction: secret, key, nonce vector.
    var stateBytes: Int { secretBytes + keyBytes + Self.nonceBytes }

    var keyBytes: Int { self == .aes128GCM ? 16 : 32 }

    /// Records that one key may protect. Source: RFC 8446 §5.5, rounded down; ChaCha has no limit that is ever reached.
    var maximumRecords: UInt64 { self == .chaCha20Poly1305 ? 1 << 60 : 1 << 24 }

    var hash: OpaquePointer? { self == .aes256GCM ? EVP_sha384() : EVP_sha256() }

    var cipher: OpaquePointer? {
        switch self {
        case .aes128GCM: EVP_aes_128_gcm()
        case .aes256GCM: EVP_aes_256_gcm()
        case .chaCha20Poly1305: EVP_chacha20_poly1305()
        }
    }
}
