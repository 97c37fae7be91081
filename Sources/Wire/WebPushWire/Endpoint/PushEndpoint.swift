/// The address of a subscription at a push service: an absolute https URL.
///
/// Read strictly, because it comes from outside and is connected to later: no user information, no fragment, ASCII
/// only. Source: RFC 8030 §4, RFC 3986 §3; W3C Push API, `PushSubscription.endpoint`.
public struct PushEndpoint: Sendable, Hashable {
    public static let maximumBytes = 2_048
    public static let defaultPort: UInt16 = 443

    /// Lower case; an IPv6 address without its brackets.
    public let host: String
    public let port: UInt16
    /// Path and query as they stand in the URL, at least `/`.
    public let target: String
    private let isIPv6: Bool

    /// `nil` for anything else than such a URL.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count <= Self.maximumBytes, text.lowercased().hasPrefix("https://"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}".utf8.contains($0) })
        else { return nil }
        let rest = text.dropFirst("https://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@"), let (host, port) = Self.hostAndPort(authority) else { return nil }
        let target = rest.dropFirst(authority.count)
        isIPv6 = host.contains(":")
        self.host = host
        self.port = port
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// Scheme, host and port, without the port of the scheme. Source: RFC 6454 §6.2.
    public var origin: String { "https://" + authority }

    /// Host and port as they stand in `Host`.
    public var authority: String {
        let host = isIPv6 ? "[\(host)]" : host
        return port == Self.defaultPort ? host : "\(host):\(port)"
    }

    /// What follows the last slash of the path: where a push service of Google's kind puts the token.
    public var lastPathSegment: String {
        let path = target.prefix { $0 != "?" }
        return String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])
    }

    private static func hostAndPort(_ authority: Substring) -> (String, UInt16)? {
        if authority.hasPrefix("[") {
            let parts = authority.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let address = parts.first, isIPv6Text(address) else { return nil }
            return port(parts[1]).map { (address.lowercased(), $0) }
        }
        let host = authority.prefix { $0 != ":" }
        guard isHostName(host) else { return nil }
        return port(authority.dropFirst(host.count)).map { (host.lowercased(), $0) }
    }

    /// - Parameter suffix: Empty, or a colon and a number from 1 to 65535.
    private static func port(_ suffix: Substring) -> UInt16? {
        guard !suffix.isEmpty else { return defaultPort }
        let digits = suffix.dropFirst()
        guard suffix.hasPrefix(":"), digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return port
    }

    /// Labels of letters, digits, `-` and `_`; dotted decimals have that form too. Source: RFC 1123 §2.1.
    private static func isHostName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { isHostCharacter($0) }
            }
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The form only; whether the address may be connected to is decided when it is.
    private static func isIPv6Text(_ text: Substring) -> Bool {
        (2...45).contains(text.utf8.count) && text.contains(":")
            && text.utf8.allSatisfy { byte in
                "0123456789abcdefABCDEF:.".utf8.contains(byte)
            }
    }
}
