import Bytes
import PushModel

/// Who an app server says it is: the content of SASL PLAIN. Source: RFC 4616; FCM XMPP protocol, "Authentication".
struct CCSCredentials: Sendable {
    private static let domains = ["gcm.googleapis.com", "fcm.googleapis.com"]
    /// A server key or an access token, an address twice, and what base64 adds.
    private static let maximumBytes = 4_096

    let sender: ProjectNumber
    /// A server key or an access token.
    let secret: Secret<String>

    /// Reads `authzid NUL authcid NUL password`. The sender id may stand with or without its domain; whom to act for may
    /// be left out.
    ///
    /// - Parameter base64: As it was sent; white space around it does no harm.
    init?(base64: String) {
        let text = base64.filter { !$0.isWhitespace }
        guard text.utf8.count <= Self.maximumBytes, let bytes = Base64.decode(text) else { return nil }
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(validating: $0, as: UTF8.self)
        }
        guard parts.count == 3, let authorization = parts[0], let name = parts[1], let password = parts[2] else {
            return nil
        }
        guard let sender = Self.sender(name), !password.isEmpty else { return nil }
        guard authorization.isEmpty || Self.sender(authorization) == sender else { return nil }
        self.sender = sender
        secret = Secret(password)
    }

    private static func sender(_ name: String) -> ProjectNumber? {
        let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || domains.contains(parts[1].lowercased()) else { return nil }
        return ProjectNumber(parts[0])
    }
}
