import HTTPSemantics

/// The cookie that holds a session's secret. Source: RFC 6265.
public enum SessionCookie {
    public static let name = "pharos_session"

    /// The secret in a request; `nil` when there is none.
    static func secret(in head: HTTPRequestHead) -> String? {
        for line in head.fields.values(of: "cookie") {
            for pair in line.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, parts[0].trimmingSpaces() == name { return parts[1].trimmingSpaces() }
            }
        }
        return nil
    }

    /// `Set-Cookie` for a new session: scripts of the page do not see it, and pages of other sites do not send it.
    static func setting(_ secret: String, isSecure: Bool, seconds: Int64) -> String {
        "\(name)=\(secret); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)" + (isSecure ? "; Secure" : "")
    }

    /// `Set-Cookie` that takes it away.
    static func removing(isSecure: Bool) -> String {
        "\(name)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" + (isSecure ? "; Secure" : "")
    }

    /// Whether the browser reached us over HTTPS, directly or through a proxy: it says so in its origin.
    static func isSecure(_ head: HTTPRequestHead) -> Bool {
        head.fields["origin"]?.hasPrefix("https://") ?? false
    }
}
