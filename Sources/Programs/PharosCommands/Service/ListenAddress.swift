/// Where a listener waits: `HOST:PORT`, a port of 0 meaning any free one.
struct ListenAddress: Sendable, Equatable {
    /// A numeric address: `127.0.0.1`, `::1`.
    var host: String
    var port: UInt16

    /// Reads `HOST:PORT` or `[IPV6]:PORT`. `nil` for `off`.
    static func parse(_ text: String, option: String) throws(CommandFailure) -> ListenAddress? {
        if text == "off" { return nil }
        let wrong = CommandFailure.usage(
            "--\(option) must be HOST:PORT or off, not “\(text)”.",
            nextStep: "For example: --\(option) 127.0.0.1:9599. Port 0 takes any free port.")
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw wrong
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        guard !host.isEmpty, host.utf8.allSatisfy({ Self.numericCharacters.contains($0) }) else { throw wrong }
        return ListenAddress(host: host, port: port)
    }

    private static let numericCharacters = Set("0123456789abcdefABCDEF.:".utf8)

    /// Whether only this machine can reach the listener.
    var isLoopback: Bool {
        host == "::1" || host.hasPrefix("127.")
    }

    /// How a URL or a person writes it: brackets around IPv6.
    func text(port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
