import WebPushWire

/// Under which names application servers know this push service: what may stand as `aud` in their signatures.
///
/// The name under which a request reached the service is one of them: a server may have any number of aliases, and a
/// proxy before it may speak TLS in its place. Who replays a signature that was meant for another service by naming that
/// service in `Host` still needs the endpoint, which is a secret, and gains no more than a message that nobody can decrypt.
public struct PushServiceOrigins: Sendable {
    /// The hosts of the endpoints that browsers build themselves, whatever server gave them the token.
    private static let builtIn: Set<String> = [
        "https://fcm.googleapis.com", "https://jmt17.google.com", "https://android.googleapis.com",
    ]

    private let origins: Set<String>

    /// - Parameter serverURLs: The addresses under which clients know this service, without a slash at the end:
    ///   `https://push.example.com`, `http://127.0.0.1:9599`.
    public init(serverURLs: [String]) {
        origins = Self.builtIn.union(serverURLs.compactMap(Self.normalized))
    }

    /// - Parameter authority: The host, and port if it has one, that the request named.
    func contains(_ audience: String, reachedAs authority: String) -> Bool {
        guard let origin = Self.normalized(audience) else { return false }
        return origins.contains(origin)
            || ["https://", "http://"].contains { Self.normalized($0 + authority) == origin }
    }

    /// In lower case and without the port of the scheme. `nil` for what is more or less than an origin. Source: RFC 6454
    /// §4 and §6.2.
    private static func normalized(_ text: String) -> String? {
        let isPlain = text.lowercased().hasPrefix("http://")
        let secure = isPlain ? "https://" + text.dropFirst("http://".count) : text
        guard let endpoint = PushEndpoint(secure), endpoint.target == "/", !text.hasSuffix("/") else { return nil }
        guard isPlain else { return endpoint.origin }
        let authority = text.dropFirst("http://".count).lowercased()
        return "http://" + (authority.hasSuffix(":80") ? String(authority.dropLast(3)) : authority)
    }
}
