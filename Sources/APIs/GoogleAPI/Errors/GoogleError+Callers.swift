extension GoogleError {
    /// Which service and method an error speaks of: `fcm.googleapis.com`,
    /// `google.firebase.fcm.v1.FcmService.SendMessage`.
    public struct Operation: Sendable, Equatable {
        public var service: String
        public var method: String

        public init(service: String, method: String) {
            self.service = service
            self.method = method
        }

        fileprivate var metadata: [String: String] { ["service": service, "method": method] }
    }

    private static let credentialAdvice =
        "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
        + "See https://developers.google.com/identity/sign-in/web/devconsole-project."

    /// No token came with the request.
    public static func credentialsMissing(_ operation: Operation) -> GoogleError {
        GoogleError(
            .unauthenticated, "Request is missing required authentication credential. \(credentialAdvice)",
            details: [info("CREDENTIALS_MISSING", operation.metadata)])
    }

    /// The token is not one that this service gave out, or its account is gone.
    public static func credentialsInvalid(_ operation: Operation) -> GoogleError {
        GoogleError(
            .unauthenticated, "Request had invalid authentication credentials. \(credentialAdvice)",
            details: [info("ACCESS_TOKEN_TYPE_UNSUPPORTED", operation.metadata)], refusesToken: true)
    }

    /// The token was good once.
    public static func tokenExpired(_ operation: Operation) -> GoogleError {
        GoogleError(
            .unauthenticated, "Request had invalid authentication credentials. \(credentialAdvice)",
            details: [info("ACCESS_TOKEN_EXPIRED", operation.metadata)], refusesToken: true)
    }

    /// The token was made for other purposes.
    public static func scopesInsufficient(_ operation: Operation) -> GoogleError {
        GoogleError(
            .permissionDenied, "Request had insufficient authentication scopes.",
            details: [info("ACCESS_TOKEN_SCOPE_INSUFFICIENT", operation.metadata)])
    }

    /// The account has no right to do this in that project, or there is no such project: the caller learns not which.
    public static func permissionDenied(_ permission: String, project: some StringProtocol) -> GoogleError {
        let resource = "cloudresourcemanager.googleapis.com/projects/\(project)"
        return GoogleError(
            .permissionDenied,
            "Permission '\(permission)' denied on resource '//\(resource)' (or it may not exist).",
            details: [
                .errorInfo(
                    reason: "IAM_PERMISSION_DENIED", domain: "iam.googleapis.com",
                    metadata: ["permission": permission, "resource": "projects/\(project)"])
            ])
    }

    /// The API is switched off for the project.
    public static func serviceDisabled(_ service: String, projectNumber: String) -> GoogleError {
        GoogleError(
            .permissionDenied,
            "API [\(service)] has not been used in project \(projectNumber) before or it is disabled.",
            details: [
                .errorInfo(
                    reason: "SERVICE_DISABLED", domain: "googleapis.com",
                    metadata: ["service": service, "consumer": "projects/\(projectNumber)"])
            ])
    }

    /// No API key came with the request.
    public static func apiKeyMissing() -> GoogleError {
        GoogleError(
            .permissionDenied,
            "Method doesn't allow unregistered callers (callers without established identity). "
                + "Please use API Key or other form of API consumer identity to call this API.")
    }

    /// The API key is nobody's.
    public static func apiKeyInvalid(service: String) -> GoogleError {
        GoogleError(
            .invalidArgument, "API key not valid. Please pass a valid API key.",
            details: [info("API_KEY_INVALID", ["service": service])])
    }

    private static func info(_ reason: String, _ metadata: [String: String]) -> Detail {
        .errorInfo(reason: reason, domain: "googleapis.com", metadata: metadata)
    }
}
