import Bytes
public import Crypto

/// The public half of a browser's subscription: to whom a content is encrypted.
///
/// Source: W3C Push API §8, `PushSubscription.getKey`; RFC 8291 §2.
public struct WebPushSubscription: Sendable, Equatable {
    public static let publicKeyByteCount = 65
    public static let authSecretByteCount = 16

    public let publicKey: P256PublicKey
    /// `p256dh`: the uncompressed point, 65 bytes.
    public let publicPoint: [UInt8]
    /// `auth`: 16 bytes.
    public let authSecret: [UInt8]

    /// - Throws: `malformedSubscription`, also for a point that is not on the curve.
    public init(p256dh: [UInt8], auth: [UInt8]) throws(WebPushError) {
        guard auth.count == Self.authSecretByteCount, p256dh.count == Self.publicKeyByteCount,
            let key = try? P256PublicKey(x963: p256dh)
        else { throw .malformedSubscription }
        publicKey = key
        publicPoint = p256dh
        authSecret = auth
    }

    /// Reads both members in base64url or standard base64, padded or not.
    public init(p256dh: String, auth: String) throws(WebPushError) {
        guard let point = Base64URL.decode(p256dh), let secret = Base64URL.decode(auth) else {
            throw .malformedSubscription
        }
        try self.init(p256dh: point, auth: secret)
    }
}

/// Both halves of a subscription: what a browser keeps, and what a test's or a simulated browser decrypts with.
public struct WebPushReceiver: Sendable {
    public let privateKey: P256PrivateKey
    public let subscription: WebPushSubscription

    /// - Parameter auth: 16 bytes.
    public init(privateKey: P256PrivateKey, auth: [UInt8]) throws(WebPushError) {
        self.privateKey = privateKey
        subscription = try WebPushSubscription(p256dh: privateKey.publicKey.x963, auth: auth)
    }

    public static func generate() throws(WebPushError) -> WebPushReceiver {
        do {
            return try WebPushReceiver(
                privateKey: .generate(), auth: SecureRandom.bytes(WebPushSubscription.authSecretByteCount))
        } catch {
            throw WebPushError(error)
        }
    }
}

extension WebPushError {
    init(_ error: any Error) {
        switch error {
        case let error as WebPushError: self = error
        case CryptoError.authenticationFailed: self = .notAuthentic
        default: self = .library("\(error)")
        }
    }
}
