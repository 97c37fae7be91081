/// An error answer of Google's HTTP APIs: the envelope that all client libraries read.
///
/// Source: google.rpc.Status in its JSON form; FCM HTTP v1 reference, "Error codes".
public struct GoogleError: Error, Sendable, Equatable {
    /// The canonical codes of google.rpc.Code. Client libraries fail on any other name.
    public enum Status: String, Sendable, CaseIterable {
        case cancelled = "CANCELLED"
        case unknown = "UNKNOWN"
        case invalidArgument = "INVALID_ARGUMENT"
        case deadlineExceeded = "DEADLINE_EXCEEDED"
        case notFound = "NOT_FOUND"
        case alreadyExists = "ALREADY_EXISTS"
        case permissionDenied = "PERMISSION_DENIED"
        case unauthenticated = "UNAUTHENTICATED"
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        case failedPrecondition = "FAILED_PRECONDITION"
        case aborted = "ABORTED"
        case outOfRange = "OUT_OF_RANGE"
        case unimplemented = "UNIMPLEMENTED"
        case `internal` = "INTERNAL"
        case unavailable = "UNAVAILABLE"
        case dataLoss = "DATA_LOSS"
    }

    public var status: Status
    /// As a rule that of the status; it differs in a few old answers.
    public var httpStatus: Int
    public var message: String
    /// In the order of the wire: naive clients read the first one.
    public var details: [Detail]
    /// The `Retry-After` field, in seconds.
    public var retryAfterSeconds: Int?
    /// Whether a 401 answers a token that was there: then the challenge says so.
    public var refusesToken: Bool

    public init(
        _ status: Status, _ message: String, details: [Detail] = [], httpStatus: Int? = nil,
        retryAfterSeconds: Int? = nil, refusesToken: Bool = false
    ) {
        self.status = status
        self.httpStatus = httpStatus ?? status.httpStatus
        self.message = message
        self.details = details
        self.retryAfterSeconds = retryAfterSeconds
        self.refusesToken = refusesToken
    }
}

extension GoogleError.Status {
    /// Source: the comments of google/rpc/code.proto.
    public var httpStatus: Int {
        switch self {
        case .cancelled: 499
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        case .unknown, .internal, .dataLoss: 500
        }
    }
}
