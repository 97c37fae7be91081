internal import COpenSSL

/// Authenticated encryption. Source: NIST SP 800-38D; with RFC 8188 the cipher of web push.
public enum AES128GCM {
    public static let keyByteCount = 16
    public static let nonceByteCount = 12
    public static let tagByteCount = 16

    private struct Algorithm: @unchecked Sendable {
        /// Fetched once, never freed; the library counts references atomically.
        static let cipher = Algorithm(pointer: EVP_CIPHER_fetch(nil, "AES-128-GCM", nil) ?? EVP_aes_128_gcm())
        let pointer: OpaquePointer?
    }

    /// - Returns: The ciphertext and its 16 bytes of tag.
    public static func seal(_ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = try context(key: key, nonce: nonce, encrypting: true)
        defer { EVP_CIPHER_CTX_free(context) }
        var output = try update(context, plaintext)
        var length: Int32 = 0
        var tag = [UInt8](repeating: 0, count: tagByteCount)
        try check(EVP_CipherFinal_ex(context, &tag, &length))
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), &tag))
        output += tag
        return output
    }

    /// - Parameter sealed: The ciphertext and its 16 bytes of tag.
    public static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= tagByteCount else { throw .wrongLength }
        let context = try context(key: key, nonce: nonce, encrypting: false)
        defer { EVP_CIPHER_CTX_free(context) }
        let plaintext = try update(context, Array(sealed.dropLast(tagByteCount)))
        var tag = Array(sealed.suffix(tagByteCount))
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), &tag))
        var length: Int32 = 0
        guard EVP_CipherFinal_ex(context, &tag, &length) == 1 else {
            ERR_clear_error()
            throw .authenticationFailed
        }
        return plaintext
    }

    private static func context(
        key: [UInt8], nonce: [UInt8], encrypting: Bool
    ) throws(CryptoError) -> OpaquePointer {
        guard key.count == keyByteCount, nonce.count == nonceByteCount else { throw .wrongLength }
        guard let context = EVP_CIPHER_CTX_new() else { throw takeLibraryError() }
        guard EVP_CipherInit_ex2(context, Algorithm.cipher.pointer, key, nonce, encrypting ? 1 : 0, nil) == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw takeLibraryError()
        }
        return context
    }

    private static func update(_ context: OpaquePointer, _ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !input.isEmpty else { return [] }
        guard let count = Int32(exactly: input.count) else { throw .wrongLength }
        var output = [UInt8](repeating: 0, count: input.count)
        var length: Int32 = 0
        try check(EVP_CipherUpdate(context, &output, &length, input, count))
        return output
    }
}
