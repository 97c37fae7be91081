internal import COpenSSL

/// Owns an `EVP_PKEY`.
///
/// Nobody changes the key after `init`, and the library allows any number of threads to use an unchanging key.
final class KeyHandle: @unchecked Sendable {
    enum Kind: Equatable {
        case rsa(bits: Int)
        case p256
        case other(String)
    }

    private let pointer: OpaquePointer

    /// - Parameter pointer: Owned from now on.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// - Parameter der: PKCS #8, PKCS #1 or SEC 1.
    convenience init?(privateKeyDER der: [UInt8]) {
        guard let decoded = decodedDER(der, { d2i_AutoPrivateKey(nil, $0, $1) }) else { return nil }
        self.init(owning: decoded.object)
        guard decoded.isWhole else { return nil }
    }

    /// - Parameter der: SubjectPublicKeyInfo.
    convenience init?(publicKeyDER der: [UInt8]) {
        guard let decoded = decodedDER(der, { d2i_PUBKEY(nil, $0, $1) }) else { return nil }
        self.init(owning: decoded.object)
        guard decoded.isWhole else { return nil }
    }

    static func generateRSA(bits: Int) throws(CryptoError) -> KeyHandle {
        guard let key = pharos_RSA_generate(UInt32(clamping: bits)) else { throw takeLibraryError() }
        return KeyHandle(owning: key)
    }

    static func generateP256() throws(CryptoError) -> KeyHandle {
        guard let key = pharos_EC_generate("P-256") else { throw takeLibraryError() }
        return KeyHandle(owning: key)
    }

    var kind: Kind {
        if EVP_PKEY_is_a(pointer, "RSA") == 1 { return .rsa(bits: Int(EVP_PKEY_get_bits(pointer))) }
        guard EVP_PKEY_is_a(pointer, "EC") == 1 else {
            return .other(EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) } ?? "unknown")
        }
        let group = groupName
        return group == "prime256v1" || group == "P-256" ? .p256 : .other("EC \(group)")
    }

    private var groupName: String {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else {
            ERR_clear_error()
            return "curve"
        }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// SubjectPublicKeyInfo. Source: RFC 5280 §4.1.
    var publicKeyDER: [UInt8] {
        encodedDER { i2d_PUBKEY(pointer, $0) }
    }

    /// PKCS #8, not encrypted. Source: RFC 5958.
    var privateKeyDER: [UInt8] {
        guard let information = EVP_PKEY2PKCS8(pointer) else {
            ERR_clear_error()
            return []
        }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        return encodedDER { i2d_PKCS8_PRIV_KEY_INFO(information, $0) }
    }

    /// Signs the SHA-256 of the message: RSASSA-PKCS1-v1_5 for RSA, a DER signature for P-256.
    func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        try check(EVP_DigestSignInit(context, nil, DigestAlgorithm.sha256.pointer, nil, pointer))
        var length = 0
        try check(EVP_DigestSign(context, nil, &length, message, message.count))
        var signature = [UInt8](repeating: 0, count: length)
        try check(EVP_DigestSign(context, &signature, &length, message, message.count))
        return Array(signature.prefix(length))
    }

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, DigestAlgorithm.sha256.pointer, nil, pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// Lends both pointers for the length of a call.
    func withPointers<Result>(
        _ other: KeyHandle, _ body: (_ own: OpaquePointer, _ other: OpaquePointer) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        try body(pointer, other.pointer)
    }

    func hasSamePublicKey(as other: KeyHandle) -> Bool {
        defer { ERR_clear_error() }
        return EVP_PKEY_eq(pointer, other.pointer) == 1
    }
}

extension KeyHandle.Kind {
    var name: String {
        switch self {
        case .rsa: "RSA"
        case .p256: "EC P-256"
        case .other(let name): name
        }
    }
}

extension KeyHandle {
    /// Finds the private key in a text that may be PEM in any shape.
    static func privateKey(inPEM text: String) throws(KeyError) -> KeyHandle {
        let blocks = try PEM.blocks(in: text)
        if let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") || $0.label.isEmpty }) {
            return try privateKey(der: block.der)
        }
        if blocks.contains(where: { $0.label.hasSuffix("CERTIFICATE") }) { throw .certificateInsteadOfKey }
        if blocks.contains(where: { $0.label.hasSuffix("PUBLIC KEY") }) { throw .publicKeyInsteadOfPrivateKey }
        throw .notPEM
    }

    /// - Throws: A `KeyError` that says what the bytes are instead.
    static func privateKey(der: [UInt8]) throws(KeyError) -> KeyHandle {
        if let key = KeyHandle(privateKeyDER: der) { return key }
        if (try? X509Certificate(der: der)) != nil { throw .certificateInsteadOfKey }
        if KeyHandle(publicKeyDER: der) != nil { throw .publicKeyInsteadOfPrivateKey }
        throw .damaged("private key")
    }

    /// Finds the public key in a text that may be PEM in any shape; a private key gives its public half.
    static func publicKey(inPEM text: String) throws(KeyError) -> KeyHandle {
        guard let block = try PEM.blocks(in: text).first(where: { $0.label.hasSuffix("KEY") || $0.label.isEmpty })
        else { throw .notPEM }
        if block.label.hasSuffix("PRIVATE KEY") { return try privateKey(der: block.der) }
        guard let key = KeyHandle(publicKeyDER: block.der) else { throw .damaged("public key") }
        return key
    }

    /// A file that may hold DER or PEM.
    static func privateKey(file bytes: [UInt8]) throws(KeyError) -> KeyHandle {
        guard bytes.first == 0x30 else { return try privateKey(inPEM: String(decoding: bytes, as: UTF8.self)) }
        return try privateKey(der: bytes)
    }
}
