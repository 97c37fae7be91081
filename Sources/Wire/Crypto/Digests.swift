internal import COpenSSL

/// A digest algorithm of the library, fetched once.
///
/// The pointer is never freed and the library counts references atomically, so threads share it.
struct DigestAlgorithm: @unchecked Sendable {
    static let sha256 = DigestAlgorithm(EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256(), byteCount: 32)
    static let sha1 = DigestAlgorithm(EVP_MD_fetch(nil, "SHA1", nil) ?? EVP_sha1(), byteCount: 20)

    let pointer: OpaquePointer?
    let byteCount: Int

    private init(_ pointer: OpaquePointer?, byteCount: Int) {
        self.pointer = pointer
        self.byteCount = byteCount
    }

    func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
            var length: UInt32 = 0
            let code = EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, &length, pointer, nil)
            precondition(code == 1, "the installed OpenSSL cannot hash")
            count = Int(length)
        }
    }
}

/// SHA-256. Source: FIPS 180-4.
public enum SHA256 {
    public static let byteCount = 32

    /// - Returns: 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { DigestAlgorithm.sha256.hash($0) }
    }

    /// The digest of the text's UTF-8.
    public static func hash(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { DigestAlgorithm.sha256.hash(UnsafeRawBufferPointer($0)) }
    }
}

/// SHA-1: for fingerprints and key identifiers only, never for signatures. Source: FIPS 180-4.
public enum SHA1 {
    /// - Returns: 20 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { DigestAlgorithm.sha1.hash($0) }
    }
}
