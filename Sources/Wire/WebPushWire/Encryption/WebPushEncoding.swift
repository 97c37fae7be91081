/// How the content of a web push is encrypted: the value of `Content-Encoding`.
public enum WebPushEncoding: String, Sendable, CaseIterable {
    /// RFC 8188 with RFC 8291: salt and public key travel in front of the ciphertext.
    case aes128gcm
    /// draft-ietf-webpush-encryption-04: salt and public key travel in the headers `Encryption` and `Crypto-Key`.
    case aesgcm
}

/// An encrypted content as it travels.
public struct EncryptedPushContent: Sendable, Equatable {
    public var encoding: WebPushEncoding
    public var body: [UInt8]
    /// The value of `Crypto-Key`; only with `aesgcm`.
    public var cryptoKey: String?
    /// The value of `Encryption`; only with `aesgcm`.
    public var encryption: String?

    public init(encoding: WebPushEncoding, body: [UInt8], cryptoKey: String? = nil, encryption: String? = nil) {
        self.encoding = encoding
        self.body = body
        self.cryptoKey = cryptoKey
        self.encryption = encryption
    }
}

/// Why a content could not be encrypted or decrypted.
public enum WebPushError: Error, Equatable, Sendable {
    /// `p256dh` is no point of the curve (65 bytes), or `auth` has not 16 bytes.
    case malformedSubscription
    case plaintextTooLong(bytes: Int)
    case malformedHeader
    case malformedBody
    /// Another key, or changed data.
    case notAuthentic
    /// The cryptographic library failed; its reason in English.
    case library(String)
}
