public import HTTPSemantics

/// Where callers put what they prove themselves with.
public enum RequestCredentials {
    /// The access token: `Authorization: Bearer …`, else the query's `access_token` or `oauth_token`. Source: RFC 6750
    /// §2.1, §2.3; Google's common query parameters.
    public static func accessToken(in head: HTTPRequestHead) -> String? {
        if let token = authorization(in: head, scheme: "bearer") { return token }
        guard !head.query.isEmpty else { return nil }
        return PercentEncoding.formPairs(head.query)
            .first { ($0.name == "access_token" || $0.name == "oauth_token") && !$0.value.isEmpty }?.value
    }

    /// The API key: `x-goog-api-key`, else the query's `key`.
    public static func apiKey(in head: HTTPRequestHead) -> String? {
        if let key = head.fields["x-goog-api-key"]?.trimmingSpaces(), !key.isEmpty { return key }
        guard !head.query.isEmpty else { return nil }
        return PercentEncoding.formPairs(head.query).first { $0.name == "key" && !$0.value.isEmpty }?.value
    }

    /// What follows the scheme in the authorization field: for `Bearer`, `FIS_v2`, `AidLogin`.
    ///
    /// - Parameter scheme: Compared without regard to case.
    public static func authorization(in head: HTTPRequestHead, scheme: String) -> String? {
        guard let value = head.fields["authorization"] else { return nil }
        let trimmed = value.utf8.drop(while: isSpace)
        guard let end = trimmed.firstIndex(where: isSpace), isSameScheme(trimmed[..<end], scheme.utf8) else {
            return nil
        }
        var credentials = trimmed[end...].drop(while: isSpace)
        while let last = credentials.last, isSpace(last) { credentials.removeLast() }
        return credentials.isEmpty ? nil : String(Substring(credentials))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isSameScheme(_ left: Substring.UTF8View, _ right: String.UTF8View) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowerCase($0) == lowerCase($1) }
    }

    private static func lowerCase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
