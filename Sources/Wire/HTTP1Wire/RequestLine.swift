internal import HTTPSemantics

/// Method, target and version. Source: RFC 9112 §3.
struct RequestLine: Sendable {
    var method: String
    /// In origin form; for CONNECT the authority; `*` for OPTIONS.
    var target: String
    /// Named by the target itself: it overrules `Host` (RFC 9112 §3.2.2).
    var authority: String?
    var version: HTTPRequestHead.Version

    init(_ line: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) {
        guard let first = ASCII.space.firstIndex(in: line), first > 0,
            let second = ASCII.space.firstIndex(in: line, from: first + 1), second > first + 1
        else { throw .badRequestLine }
        version = try Self.version(line.slice(second + 1..<line.count))
        let method = line.slice(0..<first)
        let target = line.slice(first + 1..<second)
        guard method.allSatisfy(ASCII.isToken), ASCII.isTarget(target) else { throw .badRequestLine }
        self.method = method.text
        (self.target, authority) = try Self.resolve(target, method: self.method)
    }

    /// `HTTP/` digit `.` digit, in upper case; 1.0 and 1.1 are spoken here.
    static func version(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) -> HTTPRequestHead.Version {
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), ASCII.isDigit(bytes[5]),
            bytes[6] == UInt8(ascii: "."), ASCII.isDigit(bytes[7])
        else { throw .badRequestLine }
        guard bytes[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        switch bytes[7] {
        case UInt8(ascii: "0"): return .http10
        case UInt8(ascii: "1"): return .http11
        default: throw .unsupportedVersion
        }
    }

    /// Tells the four forms of RFC 9112 §3.2 apart.
    private static func resolve(
        _ target: UnsafeBufferPointer<UInt8>, method: String
    ) throws(HTTP1Error) -> (target: String, authority: String?) {
        if method == "CONNECT" {
            guard isHostAndPort(target) else { throw .badRequestLine }
            return (target.text, target.text)
        }
        if target[0] == UInt8(ascii: "/") { return (target.text, nil) }
        if target.count == 1, target[0] == UInt8(ascii: "*"), method == "OPTIONS" { return ("*", nil) }
        return try resolveAbsolute(target)
    }

    private static func resolveAbsolute(
        _ target: UnsafeBufferPointer<UInt8>
    ) throws(HTTP1Error) -> (target: String, authority: String?) {
        let schemeBytes: Int
        if target.count > 7, target.slice(0..<7).spells("http://") {
            schemeBytes = 7
        } else if target.count > 8, target.slice(0..<8).spells("https://") {
            schemeBytes = 8
        } else {
            throw .badRequestLine
        }
        let rest = target.slice(schemeBytes..<target.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.count
        let authority = rest.slice(0..<end)
        guard end > 0, ASCII.isAuthority(authority) else { throw .badRequestLine }
        let path = rest.slice(end..<rest.count)
        return (path.first == UInt8(ascii: "/") ? path.text : "/" + path.text, authority.text)
    }

    /// A host that is not empty, and a port between 1 and 65,535.
    private static func isHostAndPort(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        let port = bytes.slice(colon + 1..<bytes.count)
        guard (1...5).contains(port.count), port.allSatisfy(ASCII.isDigit) else { return false }
        let number = port.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return (1...65_535).contains(number) && ASCII.isAuthority(bytes.slice(0..<colon))
    }
}
