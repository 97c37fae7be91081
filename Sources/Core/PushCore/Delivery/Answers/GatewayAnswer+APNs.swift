public import PushModel
import Timekeeping

extension GatewayAnswer {
    /// What an answer of APNs means for the push, once the gateway's own repeats are used up.
    ///
    /// Source: Apple, "Handling notification responses from APNs"; the kinds decide what each dialect answers.
    /// - Parameter pushID: The `apns-id`.
    public init(_ answer: APNsAnswer, pushID: String) {
        switch answer.status {
        case 200: self = .accepted(providerID: pushID)
        case 410:
            let invalidAt = answer.timestampMilliseconds.map { Timestamp(milliseconds: $0) }
            self = .unregistered(
                SendError(.unregistered, "Requested entity was not found.", apns: answer), invalidAt: invalidAt)
        case 403:
            self = .rejected(
                SendError(.thirdPartyAuthentication, "Auth error from APNS or Web Push Service", apns: answer))
        case 413: self = .rejected(SendError(.messageTooBig, "iOS message is too big", apns: answer))
        case 429: self = Self.tooMany(answer)
        case 400 where answer.reason == "IdleTimeout": self = .retry(afterMilliseconds: 0, .unavailable(answer))
        case 400..<500: self = .rejected(Self.refusal(answer))
        case 500:
            self = .retry(afterMilliseconds: 0, SendError(.internalError, "Internal error encountered.", apns: answer))
        default: self = .retry(afterMilliseconds: 0, .unavailable(answer))
        }
    }

    private static func tooMany(_ answer: APNsAnswer) -> GatewayAnswer {
        guard answer.reason != "TooManyProviderTokenUpdates" else {
            return .retry(afterMilliseconds: 0, .unavailable(answer))
        }
        return .retry(
            afterMilliseconds: 0,
            SendError(
                .deviceQuotaExceeded, "The device receives too many messages.", apns: answer, retryAfterSeconds: 60))
    }

    private static func refusal(_ answer: APNsAnswer) -> SendError {
        switch answer.reason {
        case "BadDeviceToken":
            SendError(.malformedToken, "APNs does not know the device token.", apns: answer)
        case "DeviceTokenNotForTopic", "BadTopic", "TopicDisallowed", "MissingTopic":
            SendError(.packageMismatch, "The device token does not belong to the app's bundle id.", apns: answer)
        default:
            SendError(.invalidArgument, "APNs refused the message: \(answer.reason).", apns: answer)
        }
    }
}

extension SendError {
    /// The platform's service cannot be reached, or not now.
    static func unavailable(_ answer: APNsAnswer) -> SendError {
        SendError(.unavailable, "APNs is not available.", apns: answer)
    }

    /// The project has no credential that APNs would take for the app.
    static let noCredential = SendError(
        .thirdPartyAuthentication,
        "Auth error from APNS or Web Push Service: the project has no APNs credential for this app and environment.")

    /// The app instance is gone.
    static let ended = SendError(.unregistered, "Requested entity was not found.")

    /// Whether APNs did not know the token: perhaps it belongs to the other environment.
    var isBadDeviceToken: Bool { apns?.reason == "BadDeviceToken" }
}
