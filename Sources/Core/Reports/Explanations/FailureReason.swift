/// Why a delivery ended without a device having the message. The raw value is the code in reports and APIs.
public enum FailureReason: String, Sendable, CaseIterable {
    case expired = "EXPIRED"
    case superseded = "SUPERSEDED"
    case discarded = "DISCARDED"
    case invalidArgument = "INVALID_ARGUMENT"
    case malformedToken = "MALFORMED_TOKEN"
    case noRecipient = "NO_RECIPIENT"
    case unregistered = "UNREGISTERED"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case messageTooBig = "MESSAGE_TOO_BIG"
    case reservedDataKey = "RESERVED_DATA_KEY"
    case timeToLiveOutOfRange = "TTL_OUT_OF_RANGE"
    case packageMismatch = "PACKAGE_MISMATCH"
    case projectQuotaExceeded = "PROJECT_QUOTA_EXCEEDED"
    case deviceQuotaExceeded = "DEVICE_QUOTA_EXCEEDED"
    case topicQuotaExceeded = "TOPIC_QUOTA_EXCEEDED"
    case thirdPartyAuthentication = "THIRD_PARTY_AUTH_ERROR"
    case unavailable = "UNAVAILABLE"
    case internalError = "INTERNAL"

    /// What it means and what to do, in plain words.
    public var explanation: Explanation {
        switch self {
        case .expired:
            Explanation(
                "The time to live ended before the message could be delivered.",
                nextStep:
                    "Send with a longer time to live (apns-expiration, or ttl), or look at the "
                    + "device: it may have been away or have no APNs token.")
        case .superseded:
            Explanation(
                "A newer message with the same collapse key took its place while it waited.",
                nextStep: "Nothing, if only the newest message matters. Else send without a collapse key.")
        case .discarded:
            Explanation(
                "The device was away too long, or more than 100 messages waited for it: all of "
                    + "them were dropped, and the app is told so.",
                nextStep:
                    "Send fewer messages to devices that are away, or use a collapse key. The app "
                    + "should fetch what it missed when it hears of deleted messages.")
        case .invalidArgument:
            Explanation(
                "A field of the message breaks a rule of the platform.",
                nextStep: "Read the reason beside it, correct the field and send again.")
        case .malformedToken:
            Explanation(
                "The target is not a token that this service gave out.",
                nextStep:
                    "Check that the whole token is stored, without spaces or line breaks, and that "
                    + "it comes from this server.")
        case .noRecipient:
            Explanation(
                "The message named nobody who can be addressed.",
                nextStep: "Name a token, a FID, a topic or a condition.")
        case .unregistered:
            Explanation(
                "The app was removed from the device, its registration was deleted, or it has a new token.",
                nextStep:
                    "Forget the token. The app will send its new one when it starts; make sure that "
                    + "it uploads it then.")
        case .senderIDMismatch:
            Explanation(
                "The registration belongs to another project.",
                nextStep: "Send with the credentials of the project for which the app registered.")
        case .messageTooBig:
            Explanation(
                "The payload is larger than the platform takes (4,096 bytes at APNs).",
                nextStep: "Make the data smaller, or send an id and let the app fetch the rest.")
        case .reservedDataKey:
            Explanation(
                "A key of the data is reserved.",
                nextStep: "Rename the key: from, message_type, and those that begin with google or gcm are taken.")
        case .timeToLiveOutOfRange:
            Explanation(
                "The time to live is not between 0 and four weeks.",
                nextStep: "Use 0 to 2,419,200 seconds.")
        case .packageMismatch:
            Explanation(
                "The message was restricted to another app than the one that registered.",
                nextStep: "Check restricted_package_name.")
        case .projectQuotaExceeded:
            Explanation(
                "The project sent more messages a minute than it may.",
                nextStep: "Spread the messages, and wait as long as Retry-After says.")
        case .deviceQuotaExceeded:
            Explanation(
                "The device was sent too many messages in a short time.",
                nextStep: "Send fewer messages to one device; collapse those that replace each other.")
        case .topicQuotaExceeded:
            Explanation(
                "The topic got too many messages in a short time.",
                nextStep: "Spread the messages.")
        case .thirdPartyAuthentication:
            Explanation(
                "The project has no key that Apple or the push service takes for this app.",
                nextStep:
                    "Upload an APNs key for the team of this bundle id and environment, then run "
                    + "pharos doctor.")
        case .unavailable:
            Explanation(
                "The platform could not be reached for as long as the message lived.",
                nextStep: "Check the network to the platform with pharos doctor, and send again.")
        case .internalError:
            Explanation(
                "The message, its project or its registration was gone when it was to be sent, "
                    + "or the service failed.",
                nextStep: "Send again. If it comes back, look into the log of the service.")
        }
    }
}
