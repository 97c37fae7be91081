internal import COpenSSL

/// The ciphers that all connections of one thread take in turn, and room to work in. A connection of its own keeps keys
/// only: a cipher of the library takes a kilobyte, to give it a key half a microsecond.
public final class RecordCiphers {
    /// Bytes of the largest record (RFC 8446 §5.2) with its header.
    public static let maximumRecordBytes = 5 + 16_384 + 256

    /// Room for a record that came in parts and as many bytes after it.
    public let input: UnsafeMutableRawBufferPointer
    /// Room for one record.
    public let output: UnsafeMutableRawBufferPointer
    private var sealing: [OpaquePointer?]
    private var opening: [OpaquePointer?]

    public init() {
        input = .allocate(byteCount: 2 * Self.maximumRecordBytes, alignment: 16)
        output = .allocate(byteCount: Self.maximumRecordBytes, alignment: 16)
        sealing = TLSCipherSuite.allCases.map { Self.context($0, isSealing: true) }
        opening = TLSCipherSuite.allCases.map { Self.context($0, isSealing: false) }
    }

    deinit {
        for context in sealing + opening { EVP_CIPHER_CTX_free(context) }
        input.deallocate()
        output.deallocate()
    }

    private static func context(_ suite: TLSCipherSuite, isSealing: Bool) -> OpaquePointer? {
        let context = EVP_CIPHER_CTX_new()
        EVP_CipherInit_ex(context, suite.cipher, nil, nil, nil, isSealing ? 1 : 0)
        return context
    }

    /// - Parameters:
    ///   - header: Five bytes that the tag covers too.
    ///   - type: Behind the content, sealed with it.
    ///   - output: Gets content, type and tag; has room for them.
    /// - Returns: Whether it was done; a library without memory does not.
    func seal(
        _ content: UnsafeRawBufferPointer, type: UInt8, header: UnsafePointer<UInt8>, keys: inout TrafficKeys,
        into output: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        guard let context = sealing[keys.suite.place] else { return false }
        let (key, tagBytes) = (keys.key, Int32(TLSCipherSuite.tagBytes))
        let input = content.bindMemory(to: UInt8.self)
        var (count, type, last) = (Int32(0), type, Int32(0))
        return keys.withNextNonce { nonce in
            EVP_EncryptInit_ex(context, nil, nil, key, nonce) == 1
                && EVP_EncryptUpdate(context, nil, &count, header, 5) == 1
                && (input.isEmpty
                    || EVP_EncryptUpdate(context, output, &count, input.baseAddress, Int32(input.count)) == 1)
                && EVP_EncryptUpdate(context, output + input.count, &count, &type, 1) == 1
                && EVP_EncryptFinal_ex(context, output + input.count + 1, &last) == 1
                && EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_GET_TAG, tagBytes, output + input.count + 1) == 1
        }
    }

    /// - Parameters:
    ///   - sealed: Content, type, padding and tag: more than a tag.
    ///   - output: Gets content, type and padding; has room for them. Worth nothing when the tag is wrong.
    /// - Returns: Whether the tag is right.
    func open(
        _ sealed: UnsafeRawBufferPointer, header: UnsafePointer<UInt8>, keys: inout TrafficKeys,
        into output: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        guard let context = opening[keys.suite.place], let start = sealed.bindMemory(to: UInt8.self).baseAddress else {
            return false
        }
        let (key, contentBytes) = (keys.key, sealed.count - TLSCipherSuite.tagBytes)
        let tag = UnsafeMutableRawPointer(mutating: start + contentBytes)
        var (count, last) = (Int32(0), Int32(0))
        let isOpen = keys.withNextNonce { nonce in
            EVP_DecryptInit_ex(context, nil, nil, key, nonce) == 1
                && EVP_DecryptUpdate(context, nil, &count, header, 5) == 1
                && EVP_DecryptUpdate(context, output, &count, start, Int32(contentBytes)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(TLSCipherSuite.tagBytes), tag) == 1
                && EVP_DecryptFinal_ex(context, output + contentBytes, &last) == 1
        }
        if !isOpen { ERR_clear_error() }
        return isOpen
    }
}

extension TLSCipherSuite {
    /// Where its ciphers are.
    fileprivate var place: Int {
        switch self {
        case .aes128GCM: 0
        case .aes256GCM: 1
        case .chaCha20Poly1305: 2
        }
    }
}
