public import PushCore
public import PushModel

/// The one table from refused subscriptions to Google's errors. Source: FCM HTTP v1 reference, "Manage topic
/// subscriptions".
extension GoogleError {
    public init(_ error: TopicError) {
        switch error {
        case .malformedToken:
            self = GoogleError(
                .invalidArgument, "The registration token is not a valid FCM registration token",
                details: [.fcmError(.invalidArgument)])
        case .unknownRegistration: self = GoogleError(.notFound, "Requested entity was not found.")
        case .senderIDMismatch:
            self = GoogleError(.permissionDenied, "SenderId mismatch", details: [.fcmError(.senderIDMismatch)])
        case .tooManyTopics:
            // Not a matter of rate: trying again does not help.
            self = GoogleError(
                .failedPrecondition,
                "The registration is subscribed to \(TopicLimits.topicsPerRegistration) topics already.",
                details: [.fcmError(.tooManyTopics)])
        case .denied: self = GoogleError(.permissionDenied, "The project's rules keep this app out of the topic.")
        case .changeRateExceeded:
            // Without an FcmError: the SDKs know the rate of subscriptions by the status. And without `Retry-After`:
            // they would sleep inside the caller's call.
            self = GoogleError(
                .resourceExhausted, "Topic subscription rate exceeded", details: [.retryInfo(delaySeconds: 1)])
        case .unavailable:
            self = GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
        }
    }

    public static func subscriptionNotFound(_ topic: TopicName) -> GoogleError {
        GoogleError(.notFound, "The registration is not subscribed to topic \(topic).")
    }
}
