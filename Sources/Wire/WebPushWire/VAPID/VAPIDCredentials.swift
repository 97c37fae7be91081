import Bytes
import Crypto
public import JSON
public import Timekeeping

/// Why an application server did not prove who it is.
public enum VAPIDError: Error, Equatable, Sendable {
    /// There is no `Authorization`.
    case missing
    /// Another scheme than `vapid` and `WebPush`, or parameters that do not parse.
    case malformed
    /// The public key is absent or no point of the curve.
    case badKey
    /// The token is no JWT with the algorithm ES256.
    case badToken
    case badSignature
    /// `aud` names another push service, or none.
    case wrongAudience
    case expired
    /// `exp` is absent or more than 24 hours away.
    case livesTooLong
}

/// What an application server shows to a push service. Source: RFC 8292 §3; draft-ietf-webpush-vapid-01 §3 for the
/// older scheme `WebPush`, whose key stands in `Crypto-Key: p256ecdsa=…`.
///
/// `init` proves the form only; `verify` the rest.
public struct VAPIDCredentials: Sendable {
    /// How far the clocks of both sides may be apart.
    public static let clockToleranceSeconds: Int64 = 300

    /// The application server's public key, 65 bytes.
    public let publicPoint: [UInt8]
    private let publicKey: P256PublicKey
    private let token: JWT

    /// - Parameters:
    ///   - authorization: The value of `Authorization`.
    ///   - cryptoKey: The value of `Crypto-Key`, which only the older scheme needs.
    public init(authorization: String?, cryptoKey: String?) throws(VAPIDError) {
        guard let authorization, !authorization.isEmpty else { throw .missing }
        let scheme = authorization.prefix { $0 != " " }
        let rest = authorization.dropFirst(scheme.count).drop { $0 == " " }
        let shown: (token: String, key: String?)
        switch scheme.lowercased() {
        case "vapid":
            guard let parameters = HeaderParameters(rest, separators: ","), let token = parameters["t"] else {
                throw .malformed
            }
            shown = (token, parameters["k"])
        case "webpush":
            guard let parameters = HeaderParameters(cryptoKey ?? "") else { throw .malformed }
            shown = (String(rest), parameters["p256ecdsa"])
        default: throw .malformed
        }
        guard let point = shown.key.flatMap(Base64URL.decode), let key = try? P256PublicKey(x963: point) else {
            throw .badKey
        }
        guard let token = try? JWT(parsing: shown.token), token.algorithm == "ES256" else { throw .badToken }
        publicPoint = point
        publicKey = key
        self.token = token
    }

    /// The claims, which mean something only after `verify`.
    public var claims: JSONObject { token.claims }

    /// - Parameter isOwnOrigin: Whether an audience (scheme, host and port) is this push service.
    public func verify(now: Timestamp, isOwnOrigin: (String) -> Bool) throws(VAPIDError) {
        guard let expiry = token.claims["exp"]?.int64 else { throw .livesTooLong }
        guard now.seconds < Timestamp(seconds: expiry).adding(seconds: Self.clockToleranceSeconds).seconds else {
            throw .expired
        }
        let latest = now.adding(seconds: VAPIDSigner.longestLifetimeSeconds + Self.clockToleranceSeconds)
        guard expiry <= latest.seconds else { throw .livesTooLong }
        guard audiences.contains(where: isOwnOrigin) else { throw .wrongAudience }
        // A signature in DER would be valid for the key too, but RFC 7518 §3.4 knows only the form of 64 bytes.
        guard token.signature.count == 64, token.isSigned(for: .es256(publicKey)) else { throw .badSignature }
    }

    /// One or several. Source: RFC 7519 §4.1.3.
    private var audiences: [String] {
        switch token.claims["aud"] {
        case .string(let audience): [audience]
        case .array(let audiences): audiences.compactMap(\.string)
        default: []
        }
    }
}
