import Bytes
public import Crypto

/// Encrypts contents for browsers.
public struct WebPushSealer: Sendable {
    /// With all overhead of either encoding such a content fits the 4,096 bytes that every push service takes.
    /// Source: RFC 8291 §4.
    public static let maximumPlaintextBytes = 3_992
    /// The record size that is announced; each content is one record.
    public static let recordBytes = 4_096

    private let newKey: @Sendable () throws(CryptoError) -> P256PrivateKey
    private let newSalt: @Sendable () -> [UInt8]

    /// - Parameters:
    ///   - newKey: Gives the ephemeral key of a content; never the same one twice.
    ///   - newSalt: Gives 16 random bytes.
    public init(
        newKey: @escaping @Sendable () throws(CryptoError) -> P256PrivateKey,
        newSalt: @escaping @Sendable () -> [UInt8]
    ) {
        self.newKey = newKey
        self.newSalt = newSalt
    }

    /// With keys and salts of the library's generator.
    public init() {
        self.init(
            newKey: { () throws(CryptoError) in try P256PrivateKey.generate() },
            newSalt: { SecureRandom.bytes(ContentHeader.saltByteCount) })
    }

    /// - Parameter paddingBytes: How much to add, so that the length tells less about the content.
    /// - Throws: `plaintextTooLong` when content and padding exceed `maximumPlaintextBytes`.
    public func seal(
        _ plaintext: [UInt8], for receiver: WebPushSubscription, as encoding: WebPushEncoding, paddingBytes: Int = 0
    ) throws(WebPushError) -> EncryptedPushContent {
        let padding = [UInt8](repeating: 0, count: max(0, min(paddingBytes, Self.maximumPlaintextBytes + 1)))
        let length = plaintext.count + padding.count
        guard length <= Self.maximumPlaintextBytes else { throw .plaintextTooLong(bytes: length) }
        do {
            let key = try newKey()
            let sender = key.publicKey.x963
            let salt = newSalt()
            let keys = ContentKeys(
                encoding, agreed: try key.sharedSecret(with: receiver.publicKey), receiver: receiver, sender: sender,
                salt: salt)
            let record =
                switch encoding {
                case .aes128gcm: plaintext + [RecordPadding.lastRecord] + padding
                case .aesgcm: RecordPadding.length(padding.count) + padding + plaintext
                }
            let sealed = try AES128GCM.seal(record, key: keys.key, nonce: keys.nonce)
            return Self.content(encoding, sealed, salt: salt, sender: sender)
        } catch {
            throw WebPushError(error)
        }
    }

    /// The headers of `aesgcm` have these values exactly, with padding: some receivers read no other form.
    private static func content(
        _ encoding: WebPushEncoding, _ sealed: [UInt8], salt: [UInt8], sender: [UInt8]
    ) -> EncryptedPushContent {
        switch encoding {
        case .aes128gcm:
            let header = ContentHeader(salt: salt, recordBytes: recordBytes, sender: sender)
            return EncryptedPushContent(encoding: encoding, body: header.encoded + sealed)
        case .aesgcm:
            return EncryptedPushContent(
                encoding: encoding, body: sealed, cryptoKey: "dh=" + padded(sender), encryption: "salt=" + padded(salt))
        }
    }

    private static func padded(_ bytes: [UInt8]) -> String {
        let text = Base64URL.encode(bytes)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}

/// How padding is marked inside a record.
enum RecordPadding {
    /// Ends the content of the last (here the only) record. Source: RFC 8188 §2.
    static let lastRecord: UInt8 = 2

    /// Two bytes, big-endian, before padding and content. Source: draft-ietf-httpbis-encryption-encoding-03 §2.
    static func length(_ count: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
}
