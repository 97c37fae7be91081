internal import Bytes
internal import Crypto
internal import GoogleAPI
internal import Timekeeping

/// What an access token says.
struct AccessTokenContent: Equatable {
    /// The store's number of the service account.
    var accountSerial: Int64
    var scopes: OAuthScopes
    var issuedAt: Timestamp
    var expiresAt: Timestamp
}

/// Access tokens that carry their content and a MAC, so that no store holds them.
///
/// Form: `ya29.` and base64url of version (1 byte), account (8), scopes (2), issued and expiry (8 each, seconds), MAC (32).
struct AccessTokenCodec: Sendable {
    static let prefix = "ya29."
    private static let version: UInt8 = 1
    private static let contentByteCount = 27
    private static let textByteCount = prefix.utf8.count + (contentByteCount + HMACSHA256.tagByteCount) * 4 / 3 + 1

    private let key: HMACSHA256

    /// - Parameter secret: The server's; the key is derived from it for this purpose alone.
    init(secret: Secret<[UInt8]>) {
        let info = Array("pharos access token v1".utf8)
        key = HMACSHA256(key: HKDFSHA256.derive(from: secret.reveal(), info: info, byteCount: 32))
    }

    func encode(_ content: AccessTokenContent) -> String {
        var bytes = [Self.version]
        bytes.append(bigEndian: UInt64(bitPattern: content.accountSerial))
        bytes.append(bigEndian: content.scopes.rawValue)
        bytes.append(bigEndian: UInt64(bitPattern: content.issuedAt.seconds))
        bytes.append(bigEndian: UInt64(bitPattern: content.expiresAt.seconds))
        return Self.prefix + Base64URL.encode(bytes + key.tag(for: bytes))
    }

    /// - Returns: `nil` for a text that this server did not write.
    func decode(_ token: String) -> AccessTokenContent? {
        guard token.utf8.count <= Self.textByteCount, token.hasPrefix(Self.prefix),
            let bytes = Base64URL.decode(token.dropFirst(Self.prefix.count)),
            bytes.count == Self.contentByteCount + HMACSHA256.tagByteCount, bytes[0] == Self.version
        else { return nil }
        let content = Array(bytes.prefix(Self.contentByteCount))
        guard key.isValid(bytes.suffix(HMACSHA256.tagByteCount), for: content) else { return nil }
        return AccessTokenContent(
            accountSerial: Int64(bitPattern: content.bigEndian(1..<9)),
            scopes: OAuthScopes(rawValue: UInt16(truncatingIfNeeded: content.bigEndian(9..<11))),
            issuedAt: Timestamp(seconds: Int64(bitPattern: content.bigEndian(11..<19))),
            expiresAt: Timestamp(seconds: Int64(bitPattern: content.bigEndian(19..<27))))
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate func bigEndian(_ range: Range<Int>) -> UInt64 {
        self[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
