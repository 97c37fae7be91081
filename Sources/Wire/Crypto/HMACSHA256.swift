internal import COpenSSL

/// A key for HMAC-SHA256, prepared once for many tags. Source: RFC 2104.
///
/// The keyed state is only ever copied from, never changed after `init`, so threads share it.
public final class HMACSHA256: @unchecked Sendable {
    public static let tagByteCount = 32

    private struct Algorithm: @unchecked Sendable {
        /// Fetched once, never freed; the library counts references atomically.
        static let hmac = Algorithm(pointer: EVP_MAC_fetch(nil, "HMAC", nil))
        let pointer: OpaquePointer?
    }

    private let keyed: OpaquePointer

    public init(key: [UInt8]) {
        guard let context = EVP_MAC_CTX_new(Algorithm.hmac.pointer) else {
            preconditionFailure("the installed OpenSSL has no HMAC")
        }
        keyed = context
        // A nil key would mean "keep the old one", so an empty one is passed as one zero byte: HMAC pads with zeros.
        let key = key.isEmpty ? [0] : key
        // OpenSSL keeps the pointers to a parameter's name and value, so both must outlive the call that makes it: the
        // name is a Swift string here, which would be a C string for that one call only.
        var digest = Array("SHA256".utf8CString)
        let code = OSSL_MAC_PARAM_DIGEST.withCString { name in
            digest.withUnsafeMutableBufferPointer { digest in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(name, digest.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(context, key, key.count, parameters)
            }
        }
        precondition(code == 1, "the installed OpenSSL cannot do HMAC-SHA256")
    }

    deinit {
        EVP_MAC_CTX_free(keyed)
    }

    /// - Returns: 32 bytes.
    public func tag(for message: [UInt8]) -> [UInt8] {
        let context = EVP_MAC_CTX_dup(keyed)
        defer { EVP_MAC_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: Self.tagByteCount) { output, count in
            let updated = message.withUnsafeBufferPointer { EVP_MAC_update(context, $0.baseAddress, $0.count) }
            let finished = EVP_MAC_final(context, output.baseAddress, &count, output.count)
            precondition(updated == 1 && finished == 1, "HMAC-SHA256 failed for lack of memory")
        }
    }

    /// Compares in constant time.
    ///
    /// - Parameter tag: At least 16 bytes: the tag or the beginning of it.
    public func isValid(_ tag: some Collection<UInt8>, for message: [UInt8]) -> Bool {
        guard 16...Self.tagByteCount ~= tag.count else { return false }
        return ConstantTime.isEqual(Array(tag), Array(self.tag(for: message).prefix(tag.count)))
    }

    public static func tag(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        HMACSHA256(key: key).tag(for: message)
    }
}
