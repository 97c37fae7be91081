public import PushModel

extension GatewayAnswer {
    /// What a push service's answer means for the push. Source: RFC 8030 §5, §7.3 and §8.4; RFC 8292 §4.2.
    ///
    /// - Parameters:
    ///   - location: Where the push service keeps the message, when it says so.
    ///   - retryAfterSeconds: From `Retry-After`.
    public init(webPushStatus status: Int, location: String?, retryAfterSeconds: Int64?) {
        switch status {
        case 200, 201, 202, 204: self = .accepted(providerID: location ?? "")
        case 404, 410: self = .unregistered(.ended, invalidAt: nil)
        case 401, 403:
            self = .rejected(
                SendError(
                    .thirdPartyAuthentication,
                    "Auth error from APNS or Web Push Service: the push service answered \(status)."))
        case 413: self = .rejected(SendError(.messageTooBig, "Web push message is too big"))
        case 408, 429, 500...599:
            let seconds = min(max(0, retryAfterSeconds ?? 0), TimeToLive.longest.seconds)
            self = .retry(afterMilliseconds: seconds * 1000, .pushServiceUnavailable)
        default:
            self = .rejected(
                SendError(.invalidArgument, "The push service refused the message with status \(status)."))
        }
    }
}

extension SendError {
    /// A browser's push service cannot be reached, or not now.
    public static let pushServiceUnavailable = SendError(.unavailable, "The push service is not available.")
}
