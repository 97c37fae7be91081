import Bytes
public import Crypto
import JSON
public import Timekeeping

/// Signs pushes to other push services in the name of an application server. Source: RFC 8292.
public struct VAPIDSigner: Sendable {
    /// The longest life of a signature. Source: RFC 8292 §2.
    public static let longestLifetimeSeconds: Int64 = 86_400
    /// Half of the longest, so that a wrong clock on either side does no harm.
    public static let defaultLifetimeSeconds: Int64 = 43_200

    private let key: P256PrivateKey
    private let subject: String?

    /// The application server key that browsers subscribe with: 65 bytes, base64url.
    public let publicKey: String

    /// - Parameter subject: How to reach who runs the server: a `mailto:` or `https:` URI. Some services demand one.
    public init(key: P256PrivateKey, subject: String?) {
        self.key = key
        self.subject = subject
        publicKey = Base64URL.encode(key.publicKey.x963)
    }

    /// The value of `Authorization` for pushes to a service.
    ///
    /// - Parameters:
    ///   - origin: Scheme, host and port of the push service: `PushEndpoint.origin`.
    ///   - lifetimeSeconds: At most 24 hours.
    public func authorization(
        for origin: String, now: Timestamp, lifetimeSeconds: Int64 = defaultLifetimeSeconds
    ) throws(CryptoError) -> String {
        let lifetime = min(max(lifetimeSeconds, 1), Self.longestLifetimeSeconds)
        var claims: JSONObject = ["aud": .string(origin), "exp": .integer(now.adding(seconds: lifetime).seconds)]
        if let subject { claims["sub"] = .string(subject) }
        return "vapid t=\(try JWT.encode(claims, with: .es256(key))), k=\(publicKey)"
    }
}
