import LegacyAPI

/// Why a message was not taken. Source: FCM XMPP protocol, "Downstream message error response codes".
enum CCSErrorCode: String, Sendable, Equatable {
    case invalidJSON = "INVALID_JSON"
    case badRegistration = "BAD_REGISTRATION"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case deviceUnregistered = "DEVICE_UNREGISTERED"
    case badAcknowledgement = "BAD_ACK"
    case serviceUnavailable = "SERVICE_UNAVAILABLE"
    case internalServerError = "INTERNAL_SERVER_ERROR"
    case deviceMessageRateExceeded = "DEVICE_MESSAGE_RATE_EXCEEDED"
    case topicsMessageRateExceeded = "TOPICS_MESSAGE_RATE_EXCEEDED"
    case connectionDraining = "CONNECTION_DRAINING"
    case invalidAPNsCredential = "INVALID_APNS_CREDENTIAL"

    /// The codes of the legacy HTTP protocol in the words of this one.
    init(_ code: LegacyErrorCode) {
        self =
            switch code {
            case .missingRegistration, .invalidPackageName, .invalidParameters, .messageTooBig, .invalidDataKey,
                .invalidTimeToLive:
                .invalidJSON
            case .invalidRegistration: .badRegistration
            case .notRegistered: .deviceUnregistered
            case .mismatchSenderID: .senderIDMismatch
            // The sender's own quota: to be tried again, more slowly.
            case .unavailable, .quotaExceeded: .serviceUnavailable
            case .internalServerError: .internalServerError
            case .deviceMessageRateExceeded: .deviceMessageRateExceeded
            case .topicsMessageRateExceeded: .topicsMessageRateExceeded
            case .invalidAPNsCredential: .invalidAPNsCredential
            }
    }
}
