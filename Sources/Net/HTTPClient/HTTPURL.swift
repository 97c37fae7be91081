/// An absolute `http` or `https` URL. Source: RFC 9110 §4.2, RFC 3986.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    public var isSecure: Bool
    /// A name or an address, without brackets, in lower case.
    public var host: String
    public var port: UInt16
    /// Path and query in origin form: `/v1/projects?x=1`.
    public var target: String

    public init(isSecure: Bool, host: String, port: UInt16? = nil, target: String = "/") {
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        self.target = target
    }

    /// `nil` for another scheme, user information, a bad host or port, or bytes that no request line can carry.
    public init?(_ text: some StringProtocol) {
        let lowered = text.prefix(8).lowercased()
        let schemeLength: Int
        if lowered.hasPrefix("https://") {
            schemeLength = 8
        } else if lowered.hasPrefix("http://") {
            schemeLength = 7
        } else {
            return nil
        }
        let rest = text.dropFirst(schemeLength)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let (host, port) = Self.split(authority) else { return nil }
        let target = rest.dropFirst(authority.count).prefix { $0 != "#" }
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        self.init(
            isSecure: schemeLength == 8, host: host, port: port,
            target: target.hasPrefix("/") ? String(target) : "/" + target)
    }

    private static func split(_ authority: some StringProtocol) -> (host: String, port: UInt16?)? {
        let isBracketed = authority.hasPrefix("[")
        let host = isBracketed ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        guard !host.isEmpty, host.utf8.allSatisfy({ isHost($0, isBracketed: isBracketed) }) else { return nil }
        var rest = authority.dropFirst(host.count + (isBracketed ? 1 : 0))
        if isBracketed {
            guard rest.hasPrefix("]") else { return nil }
            rest = rest.dropFirst()
        }
        if rest.isEmpty || rest == ":" { return (host.lowercased(), nil) }
        guard rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(rest.dropFirst()), port > 0
        else { return nil }
        return (host.lowercased(), port)
    }

    private static func isHost(_ byte: UInt8, isBracketed: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: isBracketed && byte == UInt8(ascii: ":")
        }
    }

    /// Host and, unless it is the scheme's own, port: what `Host` carries.
    public var authority: String {
        port == (isSecure ? 443 : 80) ? bracketedHost : hostAndPort
    }

    var hostAndPort: String { "\(bracketedHost):\(port)" }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    public var description: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }
}
