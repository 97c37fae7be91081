import PushModel

/// The error codes of the legacy dialects. Source: Firebase Cloud Messaging HTTP protocol, "Downstream message error
/// response codes".
package enum LegacyErrorCode: String, Error, Sendable, Equatable {
    case missingRegistration = "MissingRegistration"
    case invalidRegistration = "InvalidRegistration"
    case notRegistered = "NotRegistered"
    case invalidPackageName = "InvalidPackageName"
    case mismatchSenderID = "MismatchSenderId"
    case invalidParameters = "InvalidParameters"
    case messageTooBig = "MessageTooBig"
    case invalidDataKey = "InvalidDataKey"
    case invalidTimeToLive = "InvalidTtl"
    case unavailable = "Unavailable"
    case internalServerError = "InternalServerError"
    case deviceMessageRateExceeded = "DeviceMessageRateExceeded"
    case topicsMessageRateExceeded = "TopicsMessageRateExceeded"
    case quotaExceeded = "QuotaExceeded"
    case invalidAPNsCredential = "InvalidApnsCredential"

    /// The one table from refusals to the codes of this dialect.
    init(_ error: SendError) {
        self =
            switch error.kind {
            case .invalidArgument: Self.refused(by: error.apns)
            case .malformedToken: .invalidRegistration
            case .noRecipient: .missingRegistration
            case .unregistered: .notRegistered
            case .senderIDMismatch: .mismatchSenderID
            case .messageTooBig: .messageTooBig
            case .reservedDataKey: .invalidDataKey
            case .timeToLiveOutOfRange: .invalidTimeToLive
            case .packageMismatch: .invalidPackageName
            case .projectQuotaExceeded: .quotaExceeded
            case .deviceQuotaExceeded: .deviceMessageRateExceeded
            case .topicQuotaExceeded: .topicsMessageRateExceeded
            case .thirdPartyAuthentication: .invalidAPNsCredential
            case .unavailable: .unavailable
            case .internalError: .internalServerError
            }
    }

    /// What APNs found wrong with a request: the token, the app, or what the sender wrote.
    private static func refused(by answer: APNsAnswer?) -> LegacyErrorCode {
        switch answer?.reason {
        case "BadDeviceToken": .invalidRegistration
        case "DeviceTokenNotForTopic", "BadTopic", "TopicDisallowed", "MissingTopic": .invalidPackageName
        default: .invalidParameters
        }
    }
}
