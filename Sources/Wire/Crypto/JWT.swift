public import Bytes
public import JSON

/// How tokens are signed. Source: RFC 7518 §3.1.
public enum JWTSigner: Sendable {
    case rs256(RSAPrivateKey)
    case es256(P256PrivateKey)
    case hs256(Secret<[UInt8]>)

    var algorithm: String {
        switch self {
        case .rs256: "RS256"
        case .es256: "ES256"
        case .hs256: "HS256"
        }
    }

    func sign(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        switch self {
        case .rs256(let key): try key.sign(input)
        case .es256(let key): try key.sign(input)
        case .hs256(let secret): HMACSHA256.tag(for: input, key: secret.reveal())
        }
    }
}

/// Whose signature a token must carry. A token that names another algorithm is never valid.
public enum JWTVerifier: Sendable {
    case rs256(RSAPublicKey)
    case es256(P256PublicKey)
    case hs256(Secret<[UInt8]>)
}

/// A signed token in compact form. Source: RFC 7515 §3.1, RFC 7519.
///
/// Parsing proves the form only; `isSigned(for:)` proves the signature, and what the claims mean is the caller's affair.
public struct JWT: Sendable {
    public enum ParseError: Error, Equatable, Sendable {
        case tooLong, notThreeParts, notBase64URL, headerNotJSON, claimsNotJSON, algorithmMissing
    }

    public static let maximumBytes = 8192

    public let header: JSONObject
    public let claims: JSONObject
    public let signature: [UInt8]
    /// What the signature covers: the first two parts and the dot between them.
    public let signingInput: [UInt8]

    /// The header's `alg`.
    public let algorithm: String

    /// The header's `kid`.
    public var keyID: String? { header["kid"]?.string }

    public init(parsing text: some StringProtocol, maximumBytes: Int = JWT.maximumBytes) throws(ParseError) {
        guard text.utf8.count <= maximumBytes else { throw .tooLong }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts }
        header = try Self.object(parts[0], or: .headerNotJSON)
        claims = try Self.object(parts[1], or: .claimsNotJSON)
        guard let signature = Base64URL.decode(String(decoding: parts[2], as: UTF8.self)) else { throw .notBase64URL }
        self.signature = signature
        signingInput = Array(bytes.prefix(parts[0].count + 1 + parts[1].count))
        guard let algorithm = header["alg"]?.string else { throw .algorithmMissing }
        self.algorithm = algorithm
    }

    public func isSigned(for verifier: JWTVerifier) -> Bool {
        switch (verifier, algorithm) {
        case (.rs256(let key), "RS256"): key.isValid(signature: signature, for: signingInput)
        case (.es256(let key), "ES256"): key.isValid(signature: signature, for: signingInput)
        case (.hs256(let secret), "HS256"):
            signature.count == HMACSHA256.tagByteCount
                && HMACSHA256(key: secret.reveal()).isValid(signature, for: signingInput)
        default: false
        }
    }

    /// Signs claims.
    ///
    /// - Parameter type: The header's `typ`; `nil` leaves it out.
    public static func encode(
        _ claims: JSONObject, keyID: String? = nil, type: String? = "JWT", with signer: JWTSigner
    ) throws(CryptoError) -> String {
        var header: JSONObject = ["alg": .string(signer.algorithm)]
        if let type { header["typ"] = .string(type) }
        if let keyID { header["kid"] = .string(keyID) }
        let input = Base64URL.encode(header.encoded) + "." + Base64URL.encode(claims.encoded)
        return input + "." + Base64URL.encode(try signer.sign(Array(input.utf8)))
    }

    private static func object(
        _ part: ArraySlice<UInt8>, or error: ParseError
    ) throws(ParseError) -> JSONObject {
        guard let bytes = Base64URL.decode(String(decoding: part, as: UTF8.self)) else { throw .notBase64URL }
        guard let object = (try? JSONValue(parsing: bytes, options: JSONOptions(maximumDepth: 16)))?.object else {
            throw error
        }
        return object
    }
}
