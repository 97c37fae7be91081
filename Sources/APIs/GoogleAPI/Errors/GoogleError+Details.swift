public import JSON

extension GoogleError {
    /// The machine-readable part of an error. Source: google/rpc/error_details.proto; FCM HTTP v1 reference, `FcmError`,
    /// `ApnsError`.
    public enum Detail: Sendable, Equatable {
        case fcmError(FCMErrorCode)
        /// What APNs answered: its HTTP status and reason.
        case apnsError(statusCode: Int, reason: String)
        case badRequest([FieldViolation])
        case quotaFailure([QuotaViolation])
        case errorInfo(reason: String, domain: String, metadata: [String: String])
        case help([Link])
        case retryInfo(delaySeconds: Int)
    }

    public enum FCMErrorCode: String, Sendable, CaseIterable {
        case unspecifiedError = "UNSPECIFIED_ERROR"
        case invalidArgument = "INVALID_ARGUMENT"
        case unregistered = "UNREGISTERED"
        case senderIDMismatch = "SENDER_ID_MISMATCH"
        case quotaExceeded = "QUOTA_EXCEEDED"
        case unavailable = "UNAVAILABLE"
        case `internal` = "INTERNAL"
        case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
        case tooManyTopics = "TOO_MANY_TOPICS"
    }

    public struct FieldViolation: Sendable, Equatable {
        /// Dotted names in snake case: `message.data[0].value`; `nil` for the request itself.
        public var field: String?
        public var description: String

        public init(field: String?, description: String) {
            self.field = field
            self.description = description
        }
    }

    public struct QuotaViolation: Sendable, Equatable {
        /// `project:<id>`.
        public var subject: String
        public var description: String

        public init(subject: String, description: String) {
            self.subject = subject
            self.description = description
        }
    }

    public struct Link: Sendable, Equatable {
        public var description: String
        public var url: String

        public init(description: String, url: String) {
            self.description = description
            self.url = url
        }
    }
}

extension GoogleError.Detail {
    /// The detail as JSON, its type first.
    public var json: JSONValue {
        switch self {
        case .fcmError(let code):
            typed("google.firebase.fcm.v1.FcmError", [("errorCode", .string(code.rawValue))])
        case .apnsError(let statusCode, let reason):
            typed(
                "google.firebase.fcm.v1.ApnsError",
                [("statusCode", .integer(statusCode)), ("reason", .string(reason))])
        case .badRequest(let violations):
            typed("google.rpc.BadRequest", [("fieldViolations", .array(violations.map(\.json)))])
        case .quotaFailure(let violations):
            typed("google.rpc.QuotaFailure", [("violations", .array(violations.map(\.json)))])
        case .errorInfo(let reason, let domain, let metadata):
            typed("google.rpc.ErrorInfo", errorInfo(reason, domain, metadata))
        case .help(let links):
            typed("google.rpc.Help", [("links", .array(links.map(\.json)))])
        case .retryInfo(let delaySeconds):
            typed("google.rpc.RetryInfo", [("retryDelay", .string("\(delaySeconds)s"))])
        }
    }

    private func typed(_ name: String, _ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject([("@type", .string("type.googleapis.com/\(name)"))] + members))
    }

    private func errorInfo(
        _ reason: String, _ domain: String, _ metadata: [String: String]
    ) -> [(String, JSONValue)] {
        let members: [(String, JSONValue)] = [("reason", .string(reason)), ("domain", .string(domain))]
        guard !metadata.isEmpty else { return members }
        let pairs = metadata.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return members + [("metadata", .object(JSONObject(pairs)))]
    }
}

extension GoogleError.FieldViolation {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        if let field { object["field"] = .string(field) }
        object["description"] = .string(description)
        return .object(object)
    }
}

extension GoogleError.QuotaViolation {
    fileprivate var json: JSONValue {
        ["subject": .string(subject), "description": .string(description)]
    }
}

extension GoogleError.Link {
    fileprivate var json: JSONValue {
        ["description": .string(description), "url": .string(url)]
    }
}
