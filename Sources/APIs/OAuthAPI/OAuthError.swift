internal import HTTPSemantics
internal import JSON

/// Why no token is given. Source: RFC 6749 §5.2, and the texts that Google's endpoint is known to send.
struct OAuthError: Error, Equatable {
    enum Code: String {
        case invalidRequest = "invalid_request"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
    }

    var code: Code
    var description: String

    private var status: Int {
        code == .unauthorizedClient ? 401 : 400
    }

    var response: HTTPResponse {
        let json: JSONValue = ["error": .string(code.rawValue), "error_description": .string(description)]
        return HTTPResponse(status: status, tokenJSON: json)
    }
}

extension OAuthError {
    static let badSignature = OAuthError(code: .invalidGrant, description: "Invalid JWT Signature.")
    static let accountNotFound = OAuthError(code: .invalidGrant, description: "Invalid grant: account not found")
    static let notShortLived = OAuthError(
        code: .invalidGrant,
        description: "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
            + "Check your iat and exp values in the JWT claim.")
    static let noScope = OAuthError(
        code: .invalidScope, description: "Invalid OAuth scope or ID token audience provided.")
    static let accountDisabled = OAuthError(
        code: .unauthorizedClient, description: "The service account is disabled.")
    static let impersonation = OAuthError(
        code: .unauthorizedClient,
        description: "Client is unauthorized to retrieve access tokens using this method, or client not authorized "
            + "for any of the scopes requested.")
    static let refreshTokenUnknown = OAuthError(
        code: .invalidGrant, description: "Token has been expired or revoked.")

    static func wrongAudience(right: String) -> OAuthError {
        OAuthError(
            code: .invalidGrant,
            description: "Invalid JWT: Failed audience check. The right audience is \(right)")
    }

    static func malformedAssertion(_ what: String) -> OAuthError {
        OAuthError(code: .invalidGrant, description: "Invalid JWT: \(what)")
    }

    static func parameterMissing(_ name: String) -> OAuthError {
        OAuthError(code: .invalidRequest, description: "Missing required parameter: \(name)")
    }

    static func grantTypeUnknown(_ name: String) -> OAuthError {
        OAuthError(code: .unsupportedGrantType, description: "Invalid grant_type: \(name.prefix(100))")
    }
}

extension HTTPResponse {
    /// An answer of the token endpoint, which nobody may keep. Source: RFC 6749 §5.1.
    init(status: Int, tokenJSON json: JSONValue) {
        self.init(
            status: status,
            fields: HTTPFields([
                ("content-type", "application/json; charset=utf-8"), ("cache-control", "no-store"),
                ("pragma", "no-cache"),
            ]),
            body: json.encoded)
    }
}
