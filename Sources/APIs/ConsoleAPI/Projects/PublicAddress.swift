import HTTPSemantics

/// Where apps and app servers reach this server, as far as the person's browser shows it: what is written into the files
/// that they take.
public struct PublicAddress: Sendable {
    private let publicURL: String?
    private let httpsPort: UInt16?
    private let devicePort: String?

    /// - Parameters:
    ///   - publicURL: What the settings say, without a slash at its end; it wins.
    ///   - deviceDoor: `host:port` of the device channel on this machine.
    public init(publicURL: String?, httpsPort: UInt16?, deviceDoor: String?) {
        self.publicURL = publicURL
        self.httpsPort = httpsPort
        devicePort = deviceDoor.flatMap { door in door.lastIndex(of: ":").map { String(door[$0...].dropFirst()) } }
    }

    /// `https://push.example.com`.
    func serverURL(seenBy head: HTTPRequestHead) -> String {
        if let publicURL { return publicURL }
        return (isSecure(head) ? "https://" : "http://") + head.authority.lowercased()
    }

    /// `push.example.com:5228`; `nil` when there is no device channel.
    func directChannel(seenBy head: HTTPRequestHead) -> String? {
        guard let devicePort else { return nil }
        let afterScheme = serverURL(seenBy: head).split(separator: "/").dropFirst().first ?? ""
        return Self.host(of: String(afterScheme)) + ":" + devicePort
    }

    /// Behind a proxy that ends TLS, the proxy or the browser says so.
    private func isSecure(_ head: HTTPRequestHead) -> Bool {
        if head.fields["origin"]?.hasPrefix("https://") ?? false { return true }
        if head.fields["x-forwarded-proto"]?.trimmingSpaces().lowercased() == "https" { return true }
        guard let httpsPort else { return false }
        return head.authority.hasSuffix(":\(httpsPort)")
    }

    /// The authority without its port.
    private static func host(of authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isWholeNumber)
        else { return authority }
        return String(authority[..<colon])
    }
}
