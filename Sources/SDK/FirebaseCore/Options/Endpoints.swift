/// Where requests go: Google's hosts, or one server for all of them.
package struct Endpoints: Sendable, Hashable {
    /// Base of the Installations API, without a slash at the end.
    package var installations = "https://firebaseinstallations.googleapis.com"
    package var checkIn = "https://device-provisioning.googleapis.com/checkin"
    package var register = "https://fcmtoken.googleapis.com/register"
    /// Base of the registration API, without a slash at the end.
    package var registrations = "https://fcmregistrations.googleapis.com"
    package var topics = "https://iid.googleapis.com/iid/register"
    /// Takes what apps report of messages: delivered, opened.
    package var eventLog = "https://firebaselogging.googleapis.com/v0cc/log/batch"
    package var directChannel = HostAndPort(host: "mtalk.google.com", port: 5228)

    package static let google = Endpoints()

    private init() {}

    /// - Throws: `FirebaseConfigurationError` naming `PHAROS_SERVER_URL` or `PHAROS_DIRECT_CHANNEL`.
    package init(serverURL: String?, directChannel: String?) throws(FirebaseConfigurationError) {
        self = .google
        if let serverURL {
            guard let base = Self.base(of: serverURL) else {
                throw .malformedValue(
                    key: "PHAROS_SERVER_URL", reason: "it must be an http or https URL without query or fragment")
            }
            installations = base
            checkIn = base + "/checkin"
            register = base + "/register"
            registrations = base
            topics = base + "/iid/register"
            eventLog = base + "/v0cc/log/batch"
        }
        if let directChannel {
            guard let address = HostAndPort(directChannel) else {
                throw .malformedValue(key: "PHAROS_DIRECT_CHANNEL", reason: "it must be host:port")
            }
            self.directChannel = address
        }
    }

    private static func base(of url: String) -> String? {
        let scheme = ["https://", "http://"].first { url.lowercased().hasPrefix($0) }
        guard let scheme, url.utf8.count <= 2048 else { return nil }
        var rest = url.dropFirst(scheme.count)
        while rest.last == "/" { rest.removeLast() }
        let authority = rest.prefix { $0 != "/" }
        guard isAuthority(authority), rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !rest.contains("?"), !rest.contains("#")
        else { return nil }
        return scheme + rest
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        guard let first = text.first, first != ":", !text.contains("@") else { return false }
        var port = text
        if first == "[" {
            guard let end = text.firstIndex(of: "]") else { return false }
            port = text[text.index(after: end)...]
        }
        guard let colon = port.lastIndex(of: ":") else { return first != "[" || port.isEmpty }
        return UInt16(port[port.index(after: colon)...]) ?? 0 > 0
    }
}

/// A network address as configuration files write it: `host:port`, IPv6 in brackets.
package struct HostAndPort: Sendable, Hashable {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") })
        else { return nil }
        self.init(host: String(host), port: port)
    }
}
