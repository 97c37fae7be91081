import Bytes
import JSON

/// A provider token taken apart; nothing in it is proved yet.
///
/// Source: Apple, "Establishing a token-based connection to APNs"; RFC 7515 §3.1.
struct ProviderToken: Equatable {
    static let maximumBytes = 4096

    let keyID: String
    let teamID: String
    /// Seconds since 1970.
    let issuedAt: Int64
    /// The first two parts with the dot between.
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// Reads the value of an `authorization` header; `nil` for anything but `bearer` and an ES256 token with `kid`,
    /// `iss` and `iat`. Other claims and header parameters are passed over, and `iat` may be a numeric string: both are
    /// sent by libraries that the service accepts.
    init?(authorization: String) {
        let words = authorization.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        self.init(compact: words[1])
    }

    init?(compact: some StringProtocol) {
        guard compact.utf8.count <= Self.maximumBytes else { return nil }
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
            header["alg"]?.string == "ES256", let keyID = header["kid"]?.string, !keyID.isEmpty,
            let teamID = claims["iss"]?.string, !teamID.isEmpty, let issuedAt = Self.seconds(claims["iat"])
        else { return nil }
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
        self.signature = signature
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: some StringProtocol) -> JSONObject? {
        guard let text = Base64URL.decode(part) else { return nil }
        return (try? JSONValue(parsing: text))?.object
    }

    private static func seconds(_ value: JSONValue?) -> Int64? {
        guard let seconds = value?.int64 ?? value?.string.flatMap({ Int64($0) }), seconds >= 0 else { return nil }
        return seconds
    }
}
