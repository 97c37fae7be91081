import Crypto

/// Key and nonce of one content. Each content has its own salt and ephemeral key, so there is one record and no
/// counter.
struct ContentKeys: Equatable {
    let key: [UInt8]
    let nonce: [UInt8]

    /// - Parameters:
    ///   - agreed: The shared secret of receiver and sender.
    ///   - sender: The sender's ephemeral public key, 65 bytes.
    ///   - salt: 16 bytes.
    init(
        _ encoding: WebPushEncoding, agreed: [UInt8], receiver: WebPushSubscription, sender: [UInt8], salt: [UInt8]
    ) {
        let (secretInfo, keyInfo, nonceInfo) =
            switch encoding {
            case .aes128gcm: Self.labels(receiver: receiver.publicPoint, sender: sender)
            case .aesgcm: Self.draftLabels(receiver: receiver.publicPoint, sender: sender)
            }
        let secret = HKDFSHA256.derive(from: agreed, salt: receiver.authSecret, info: secretInfo, byteCount: 32)
        key = HKDFSHA256.derive(from: secret, salt: salt, info: keyInfo, byteCount: AES128GCM.keyByteCount)
        nonce = HKDFSHA256.derive(from: secret, salt: salt, info: nonceInfo, byteCount: AES128GCM.nonceByteCount)
    }

    private typealias Labels = (secret: [UInt8], key: [UInt8], nonce: [UInt8])

    /// Source: RFC 8291 §3.4, RFC 8188 §2.2–2.3.
    private static func labels(receiver: [UInt8], sender: [UInt8]) -> Labels {
        (
            text("WebPush: info") + receiver + sender, text("Content-Encoding: aes128gcm"),
            text("Content-Encoding: nonce")
        )
    }

    /// Source: draft-ietf-webpush-encryption-04 §3.3, draft-ietf-httpbis-encryption-encoding-03 §3.
    private static func draftLabels(receiver: [UInt8], sender: [UInt8]) -> Labels {
        let context = text("P-256") + withLength(receiver) + withLength(sender)
        return (
            text("Content-Encoding: auth"), text("Content-Encoding: aesgcm") + context,
            text("Content-Encoding: nonce") + context
        )
    }

    /// The text and a zero byte.
    private static func text(_ text: String) -> [UInt8] {
        Array(text.utf8) + [0]
    }

    private static func withLength(_ point: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: point.count >> 8), UInt8(truncatingIfNeeded: point.count)] + point
    }
}
