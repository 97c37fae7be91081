/// The reply of the register calls: lines of `key=value`. Only the body counts, whatever the status.
enum RegisterReply: Sendable, Hashable {
    case token(String)
    /// The device's credentials are not valid yet, or no more: try again.
    case notYet(String)
    /// The server wants the client to forget its identity.
    case identityReset(String)
    /// Another word of the server.
    case refused(String)
    /// No line says anything.
    case unusable
    case empty

    init(parsing body: [UInt8]) {
        guard !body.isEmpty else {
            self = .empty
            return
        }
        let pairs = Self.pairs(String(decoding: body.prefix(1 << 16), as: UTF8.self))
        if let token = pairs["token"], !token.isEmpty {
            self = .token(token)
        } else if let error = pairs["Error"] {
            self = Self.error(error)
        } else {
            self = .unusable
        }
    }

    /// Whether the reply says that a delete was done.
    static func saysDeleted(_ body: [UInt8]) -> Bool {
        body.starts(with: "deleted=".utf8) || body.starts(with: "token=".utf8)
    }

    /// Whether the word means that the device's credentials are unknown.
    static func meansUnknownDevice(_ error: String) -> Bool {
        parts(error).contains("AUTHENTICATION_FAILED")
    }

    /// Whether the word means that the installation's auth token was not accepted.
    static func meansBadInstallationsAuth(_ error: String) -> Bool {
        parts(error).contains("FIS_AUTH_ERROR")
    }

    /// The first value of each key. A value ends where another `=` follows.
    private static func pairs(_ text: String) -> [String: String] {
        var pairs: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count >= 2, pairs[String(parts[0])] == nil else { continue }
            pairs[String(parts[0])] = String(parts[1])
        }
        return pairs
    }

    private static func error(_ text: String) -> RegisterReply {
        let parts = parts(text)
        if parts.contains("PHONE_REGISTRATION_ERROR") { return .notYet(text) }
        if parts.contains("RST") { return .identityReset(text) }
        return .refused(text)
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: ":").map { part in
            String(part.drop(while: { $0 == " " }).reversed().drop(while: { $0 == " " }).reversed())
        }
    }
}
