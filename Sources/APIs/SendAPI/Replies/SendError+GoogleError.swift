import GoogleAPI
import PushModel

/// The one table from refusals to the answers of HTTP v1. Source: FCM HTTP v1 reference, `ErrorCode`; the order of the
/// details is the one that FCM gives, because naive clients read the first.
extension SendError {
    /// - Parameter project: As the request named it.
    func googleError(project: String) -> GoogleError {
        let (status, code) = kind.answer
        return GoogleError(
            status, message, details: details(code: code, project: project),
            retryAfterSeconds: code == .quotaExceeded ? nil : retryAfterSeconds)
    }

    private func details(code: GoogleError.FCMErrorCode, project: String) -> [GoogleError.Detail] {
        var details: [GoogleError.Detail] = []
        if !violations.isEmpty { details.append(.badRequest(violations.map(GoogleError.FieldViolation.init))) }
        details.append(.fcmError(code))
        if code == .quotaExceeded {
            details.append(.quotaFailure([.init(subject: "project:\(project)", description: message)]))
        }
        if let apns { details.append(.apnsError(statusCode: apns.status, reason: apns.reason)) }
        // Not as `Retry-After`: the Admin SDKs would sleep that long inside the caller's send.
        if code == .quotaExceeded, let retryAfterSeconds { details.append(.retryInfo(delaySeconds: retryAfterSeconds)) }
        return details
    }
}

extension SendError.Kind {
    fileprivate var answer: (GoogleError.Status, GoogleError.FCMErrorCode) {
        switch self {
        case .invalidArgument, .malformedToken, .noRecipient, .messageTooBig, .reservedDataKey,
            .timeToLiveOutOfRange, .packageMismatch:
            (.invalidArgument, .invalidArgument)
        case .unregistered: (.notFound, .unregistered)
        case .senderIDMismatch: (.permissionDenied, .senderIDMismatch)
        case .projectQuotaExceeded, .deviceQuotaExceeded, .topicQuotaExceeded: (.resourceExhausted, .quotaExceeded)
        case .thirdPartyAuthentication: (.unauthenticated, .thirdPartyAuthError)
        case .unavailable: (.unavailable, .unavailable)
        case .internalError: (.internal, .internal)
        }
    }
}

extension GoogleError.FieldViolation {
    init(_ violation: SendError.Violation) {
        self.init(field: violation.field.isEmpty ? nil : violation.field, description: violation.description)
    }
}
