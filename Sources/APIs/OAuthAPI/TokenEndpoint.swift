public import Bytes
internal import Crypto
public import GoogleAPI
internal import HTTPSemantics
internal import JSON
public import PushCore
internal import PushModel
public import Timekeeping

/// Exchanges signed assertions of service accounts for access tokens: `POST /token` and its two older paths.
///
/// Source: RFC 7523; Google, "Using OAuth 2.0 for Server to Server Applications".
public struct TokenEndpoint: Sendable {
    private static let bearerGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let bodyLimitBytes = 32 << 10

    /// Reads what this endpoint gives out.
    public let accessTokens: AccessTokens
    private let signatures: SignatureCheck
    private let audiences: OAuthAudiences
    private let clock: any WallClock

    /// - Parameter secret: The server's secret: the same on all nodes of a service.
    public init(
        secret: Secret<[UInt8]>, directory: any ProjectDirectory, clock: any WallClock, audiences: OAuthAudiences
    ) {
        signatures = SignatureCheck(directory: directory)
        accessTokens = AccessTokens(
            secret: secret, directory: directory, clock: clock, audiences: audiences, signatures: signatures)
        self.audiences = audiences
        self.clock = clock
    }

    public func addRoutes(to router: inout Router) {
        for path: PathPattern in ["/token", "/oauth2/v4/token", "/o/oauth2/token"] {
            router.post(path, bodyLimitBytes: Self.bodyLimitBytes) { answer(to: $0.request) }
        }
    }

    func answer(to request: HTTPRequest) -> HTTPResponse {
        do {
            let issued = try token(for: TokenRequest(request))
            return HTTPResponse(
                status: 200,
                tokenJSON: [
                    "access_token": .string(issued.text), "expires_in": .integer(issued.expiresInSeconds),
                    "token_type": "Bearer",
                ])
        } catch {
            return error.response
        }
    }

    private func token(for request: TokenRequest) throws(OAuthError) -> AccessTokens.Issued {
        switch try request.required("grant_type") {
        case Self.bearerGrant: return try token(forAssertion: request.required("assertion"))
        // Refresh tokens come from a consent page, which this service has not: none was ever given out.
        case "refresh_token": throw .refreshTokenUnknown
        case let other: throw .grantTypeUnknown(other)
        }
    }

    private func token(forAssertion text: String) throws(OAuthError) -> AccessTokens.Issued {
        let assertion = try parsed(text)
        let account = try signer(of: assertion)
        guard account.isEnabled else { throw .accountDisabled }
        guard isForThisService(assertion.claims["aud"]) else {
            throw .wrongAudience(right: audiences.preferredTokenURL)
        }
        let now = clock.now()
        guard let life = ClaimedLife(assertion.claims), !life.hasEnded(at: now), life.isReasonable(at: now) else {
            throw .notShortLived
        }
        for name in ["sub", "prn"] {
            guard [nil, "", account.email].contains(assertion.claims[name]?.string) else { throw .impersonation }
        }
        let scopes = OAuthScopes(list: assertion.claims["scope"]?.string ?? "")
        guard !scopes.isEmpty else { throw .noScope }
        return accessTokens.issue(to: account, scopes: scopes)
    }

    private func parsed(_ text: String) throws(OAuthError) -> JWT {
        do {
            return try JWT(parsing: text)
        } catch {
            throw .malformedAssertion(error.sentence)
        }
    }

    private func signer(of assertion: JWT) throws(OAuthError) -> ServiceAccount {
        guard assertion.claims["iss"]?.string != nil else { throw .malformedAssertion("The claim iss is missing.") }
        do {
            return try signatures.signer(of: assertion)
        } catch {
            switch error {
            case .accountNotFound: throw .accountNotFound
            case .badSignature: throw .badSignature
            }
        }
    }

    private func isForThisService(_ audience: JSONValue?) -> Bool {
        switch audience {
        case .string(let text): audiences.tokenURLs.contains(text)
        case .array(let list): list.contains { $0.string.map(audiences.tokenURLs.contains) ?? false }
        default: false
        }
    }
}

extension JWT.ParseError {
    fileprivate var sentence: String {
        switch self {
        case .tooLong: "The assertion is too long."
        case .notThreeParts: "The assertion does not have three parts."
        case .notBase64URL: "The assertion is not base64url."
        case .headerNotJSON: "The header is not a JSON object."
        case .claimsNotJSON: "The claims are not a JSON object."
        case .algorithmMissing: "The header names no algorithm."
        }
    }
}
