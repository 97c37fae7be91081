public import PushModel

/// The rules of single values: one text for each, whatever the door.
extension SendError {
    /// Nobody is named.
    public static let recipientMissing = SendError(
        .noRecipient, "Recipient of the message is not set.",
        violations: [Violation(field: "message", description: "Recipient of the message is not set.")])

    /// The target text is no token, and no other thing that may stand for one.
    public static let malformedToken = SendError(
        .malformedToken, "The registration token is not a valid FCM registration token")

    /// The target is gone, or was never known under a well-formed name.
    public static let unregistered = SendError(.unregistered, "Requested entity was not found.")

    /// The target belongs to another project.
    public static let senderIDMismatch = SendError(.senderIDMismatch, "SenderId mismatch")

    public static let unavailable = SendError(.unavailable, "The service is currently unavailable.")

    public static func invalidAnalyticsLabel(at field: String) -> SendError {
        .invalid(field, "Invalid analytics label: 1 to 50 characters of [a-zA-Z0-9-_.~%] are allowed.")
    }

    /// Source: FCM HTTP v1, `AndroidConfig.ttl`.
    public static func timeToLiveOutOfRange(at field: String) -> SendError {
        var error = SendError.invalid(field, "Invalid TTL: it must be from 0 to 2419200 seconds (4 weeks).")
        error.kind = .timeToLiveOutOfRange
        return error
    }

    /// `android` and `android_v2` exclude each other.
    public static func secondAndroidPart(at field: String) -> SendError {
        .invalid(field, "Only one of [android] and [android_v2] may be set.")
    }

    public static func invalidTopicName(at field: String) -> SendError {
        .invalid(field, "Invalid topic name: 1 to 900 characters of [a-zA-Z0-9-_.~%] are allowed.")
    }

    /// Source: the answer that FCM gives, with its details in that order.
    public static func invalidCondition(at field: String) -> SendError {
        SendError(
            .invalidArgument, "Request contains an invalid argument.",
            violations: [Violation(field: field, description: "Invalid condition expression provided.")])
    }

    public static func tooManyConditionTopics(at field: String) -> SendError {
        SendError(
            .invalidArgument,
            "Invalid condition expression provided: it may name at most \(TopicCondition.maximumTopics) topics.",
            violations: [Violation(field: field, description: "Invalid condition expression provided.")])
    }

    /// Like a malformed token: it says nothing about the message, so it names no field of it.
    public static let malformedInstallationID = SendError(
        .malformedToken, "The Firebase installation ID is not valid.")
}
