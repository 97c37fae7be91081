import HTTPSemantics
import PushModel
import WebPushWire

/// Why a push to an endpoint of this service was refused.
enum PushRefusal: Error, Equatable {
    case badTimeToLive, badUrgency, badTopic, badContent
    /// Nobody vouches for the caller.
    case notAuthorized
    /// The signature does not hold, or not here and now.
    case badSignature
    /// The caller is not the one for whom the browser subscribed.
    case otherSender
    /// No token that this service ever gave out.
    case unknownEndpoint
    /// The browser has unsubscribed.
    case ended
    case tooManyRequests
    case unavailable

    init(_ error: VAPIDError) {
        self =
            switch error {
            case .missing, .malformed: .notAuthorized
            case .badKey, .badToken, .badSignature, .wrongAudience, .expired, .livesTooLong: .badSignature
            }
    }

    init(_ error: SendError) {
        self =
            switch error.kind {
            case .unregistered: .ended
            case .projectQuotaExceeded, .deviceQuotaExceeded, .topicQuotaExceeded: .tooManyRequests
            default: .unavailable
            }
    }

    /// Source: RFC 8030 §5 and §8.4, RFC 8292 §4.2; 403 for a wrong key is what Google's push service answers.
    private var answer: (status: Int, text: String) {
        switch self {
        case .badTimeToLive: (400, "The TTL header must be one number of seconds.")
        case .badUrgency: (400, "Invalid Urgency header: it must be very-low, low, normal or high.")
        case .badTopic: (400, "The Topic header must be 1 to 32 characters of base64url.")
        case .badContent:
            (
                400,
                "The content must be one record of aes128gcm, or of aesgcm with Crypto-Key (dh) and Encryption (salt)."
            )
        case .notAuthorized: (401, "The Authorization header must carry VAPID credentials: vapid t=<token>, k=<key>.")
        case .badSignature:
            (403, "The VAPID token is not valid: check its signature, aud (the endpoint's origin) and exp.")
        case .otherSender: (403, "The credentials are not those of the sender that the browser subscribed for.")
        case .unknownEndpoint: (404, "The URL is no push subscription.")
        case .ended: (410, "The push subscription has ended.")
        case .tooManyRequests: (429, "Too many messages.")
        case .unavailable: (503, "The service is currently unavailable.")
        }
    }

    var response: HTTPResponse {
        let (status, text) = answer
        var response = HTTPResponse(status: status, contentType: "text/plain; charset=UTF-8", text: text + "\n")
        if status == 401 { response.fields["www-authenticate"] = "vapid" }
        if status == 429 || status == 503 { response.fields["retry-after"] = "30" }
        return response
    }
}
