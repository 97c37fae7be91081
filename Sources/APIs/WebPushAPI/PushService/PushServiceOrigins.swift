import WebPushWire

/// Under which names application servers know this push service: what may stand as `aud` in their signatures.
public struct PushServiceOrigins: Sendable {
    /// The hosts of the endpoints that browsers build themselves, whatever server gave them the token.
    private static let builtIn: Set<String> = [
        "https://fcm.googleapis.com", "https://jmt17.google.com", "https://android.googleapis.com",
    ]

    private let origins: Set<String>

    /// - Parameter serverURLs: The addresses under which clients know this service, without a slash at the end:
    ///   `https://push.example.com`, `http://127.0.0.1:9599`.
    public init(serverURLs: [String]) {
        origins = Self.builtIn.union(serverURLs.map(Self.normalized))
    }

    func contains(_ audience: String) -> Bool {
        origins.contains(Self.normalized(audience))
    }

    /// Without the port of the scheme and in lower case. Source: RFC 6454 §4.
    private static func normalized(_ text: String) -> String {
        let text = text.lowercased()
        if let endpoint = PushEndpoint(text) {
            return endpoint.target == "/" && !text.hasSuffix("/") ? endpoint.origin : text
        }
        return text.hasPrefix("http://") && text.hasSuffix(":80") ? String(text.dropLast(3)) : text
    }
}
