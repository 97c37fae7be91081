public import HTTPSemantics

/// What answers which requests.
public struct Route: Sendable {
    public typealias Action = @Sendable (RoutedRequest) async -> HTTPResponse

    /// The default of `bodyLimitBytes`.
    public static let usualBodyLimitBytes = 1 << 20

    public let method: String
    public let pattern: PathPattern
    /// The hosts, without port and in lower case, that the route is for; empty for all. For paths that two services
    /// share.
    public let hosts: [String]
    /// The largest body in bytes; a longer one is refused before it is read.
    public let bodyLimitBytes: Int
    /// Whether scripts of any web page may call it. Only for routes whose callers prove themselves in the request.
    public let allowsCrossOrigin: Bool
    public let action: Action

    /// - Parameter pattern: See `PathPattern`.
    public init(
        _ method: String, _ pattern: PathPattern, hosts: [String] = [],
        bodyLimitBytes: Int = Route.usualBodyLimitBytes, allowsCrossOrigin: Bool = false, action: @escaping Action
    ) {
        self.method = method
        self.pattern = pattern
        self.hosts = hosts
        self.bodyLimitBytes = bodyLimitBytes
        self.allowsCrossOrigin = allowsCrossOrigin
        self.action = action
    }

    /// - Parameter method: A GET route answers HEAD too; the server leaves the body out.
    func answers(method: String, authority: String) -> Bool {
        (self.method == method || (method == "HEAD" && self.method == "GET"))
            && (hosts.isEmpty || hosts.contains(hostName(of: authority)))
    }

    /// The authority without its port, in lower case.
    private func hostName(of authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return authority.lowercased()
        }
        return authority[..<colon].lowercased()
    }
}
