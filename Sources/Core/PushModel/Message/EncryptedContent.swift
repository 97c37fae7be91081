/// A message that an app server encrypted for a browser. Source: RFC 8291, and its draft for `aesgcm`.
public struct EncryptedContent: Sendable, Equatable {
    public var body: [UInt8]
    /// `aes128gcm` or `aesgcm`.
    public var contentEncoding: String
    /// The values of the `Crypto-Key` and `Encryption` headers; `aesgcm` only.
    public var cryptoKey: String?
    public var encryption: String?
    /// Who encrypted it: the app server's key in base64url, or the sender id.
    public var from: String
    /// The `Topic` header: a newer message of the same topic replaces this one.
    public var topic: String?

    public init(
        body: [UInt8], contentEncoding: String, cryptoKey: String? = nil, encryption: String? = nil, from: String,
        topic: String? = nil
    ) {
        self.body = body
        self.contentEncoding = contentEncoding
        self.cryptoKey = cryptoKey
        self.encryption = encryption
        self.from = from
        self.topic = topic
    }
}
