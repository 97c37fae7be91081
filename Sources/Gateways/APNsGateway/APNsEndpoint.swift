/// Where APNs is.
public struct APNsEndpoint: Sendable, Hashable {
    /// The service for apps from the App Store and TestFlight. Source: Apple, "Sending notification requests to APNs".
    public static let production = APNsEndpoint(host: "api.push.apple.com", port: 443)
    public static let sandbox = APNsEndpoint(host: "api.sandbox.push.apple.com", port: 443)

    /// A name or numeric address to connect to.
    public var host: String
    public var port: UInt16
    /// The name that the service's certificate must carry; the host when `nil`.
    public var serverName: String?

    public init(host: String, port: UInt16, serverName: String? = nil) {
        self.host = host
        self.port = port
        self.serverName = serverName
    }

    /// What stands in `:authority`.
    var authority: String {
        let name = serverName ?? (host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host)
        return port == 443 ? name : "\(name):\(port)"
    }

    /// Whether nothing that is sent there leaves the machine.
    public var isOnThisMachine: Bool { host.lowercased() == "localhost" || Self.isLoopback(host) }

    /// Whether a numeric address is one of the machine's own.
    static func isLoopback(_ address: String) -> Bool {
        if address == "::1" || address == "::ffff:127.0.0.1" { return true }
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
