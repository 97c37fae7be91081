import PushModel
import WebPushWire

/// Encrypts what the service itself sends to browsers: in the older encoding, which every receiver can read.
enum BrowserEncryption {
    static func seal(_ plaintext: [UInt8], p256dh: String, auth: String) -> EncryptedContent? {
        guard let receiver = try? WebPushSubscription(p256dh: p256dh, auth: auth),
            let sealed = try? WebPushSealer().seal(plaintext, for: receiver, as: .aesgcm)
        else { return nil }
        return EncryptedContent(
            body: sealed.body, contentEncoding: "aesgcm", cryptoKey: sealed.cryptoKey, encryption: sealed.encryption,
            from: "")
    }
}
