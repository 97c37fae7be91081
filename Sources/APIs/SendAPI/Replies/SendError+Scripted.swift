import GoogleAPI
import PushCore
public import PushModel

extension SendError {
    /// The refusal that a test asks for by the answer that it wants to see.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - errorCode: An FCM error code, `UNREGISTERED`; empty or another text when the status tells enough.
    /// - Returns: `nil` for a status that no refusal has.
    public static func scripted(status: Int, errorCode: String) -> SendError? {
        if let code = GoogleError.FCMErrorCode(rawValue: errorCode) { return standard(code) }
        switch status {
        case 400: return standard(.invalidArgument)
        case 401: return standard(.thirdPartyAuthError)
        case 403: return standard(.senderIDMismatch)
        case 404: return standard(.unregistered)
        case 429: return standard(.quotaExceeded)
        case 500: return standard(.internal)
        case 503: return standard(.unavailable)
        default: return nil
        }
    }

    private static func standard(_ code: GoogleError.FCMErrorCode) -> SendError {
        switch code {
        case .invalidArgument: SendError(.invalidArgument, "Request contains an invalid argument.")
        case .unregistered: .unregistered
        case .senderIDMismatch: .senderIDMismatch
        case .quotaExceeded, .tooManyTopics: SendError(.projectQuotaExceeded, "Message rate exceeded")
        case .unavailable: .unavailable
        case .internal, .unspecifiedError: SendError(.internalError, "Internal error encountered.")
        case .thirdPartyAuthError:
            SendError(.thirdPartyAuthentication, "Auth error from APNS or Web Push Service")
        }
    }
}
