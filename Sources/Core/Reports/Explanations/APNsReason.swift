/// What an answer of APNs means. Source: Apple, "Handling notification responses from APNs".
public struct APNsReason: Sendable, Equatable {
    public var reason: String
    /// The status with which it comes.
    public var status: Int
    public var explanation: Explanation

    private init(_ reason: String, _ status: Int, _ text: String, _ nextStep: String) {
        self.reason = reason
        self.status = status
        explanation = Explanation(text, nextStep: nextStep)
    }

    /// `nil` for a reason that is not in the table.
    public static func known(_ reason: String) -> APNsReason? { table[reason] }

    /// Every reason of the table.
    public static var all: [APNsReason] { Array(table.values) }

    private static let table = Dictionary(uniqueKeysWithValues: rows.map { ($0.reason, $0) })

    private static let rows = [
        APNsReason(
            "BadDeviceToken", 400, "Apple does not know the token for this app in this environment.",
            "Check that development builds register with sandbox and store builds with production; "
                + "both keys must be uploaded."),
        APNsReason(
            "DeviceTokenNotForTopic", 400, "The token belongs to an app with another bundle id.",
            "Check the bundle id of the registered app, and that its GoogleService-Info.plist is "
                + "the one of that app."),
        APNsReason(
            "TopicDisallowed", 400, "The APNs key may not send for this bundle id.",
            "Upload a key of the Apple team that owns the bundle id."),
        APNsReason(
            "BadTopic", 400, "The apns-topic is not one that Apple takes.",
            "Leave apns-topic out, or write the bundle id with the ending that the push type asks for."),
        APNsReason(
            "PayloadTooLarge", 413, "The payload is larger than Apple takes.",
            "Make the data smaller, or send an id and let the app fetch the rest."),
        APNsReason(
            "PayloadEmpty", 400, "The payload is empty.",
            "Give the message a notification or data."),
        APNsReason(
            "BadPriority", 400, "The priority does not fit the push type: background pushes must have 5.",
            "Set apns-priority to 5 for messages without an alert, badge or sound."),
        APNsReason(
            "BadExpirationDate", 400, "apns-expiration is not a time.",
            "Write seconds since 1970."),
        APNsReason(
            "BadCollapseId", 400, "apns-collapse-id is longer than 64 bytes.",
            "Use a shorter one."),
        APNsReason(
            "InvalidPushType", 400, "apns-push-type does not fit the payload.",
            "Leave it out: it follows from the payload."),
        APNsReason(
            "Unregistered", 410, "The app was removed from the device, or it does not want notifications any more.",
            "Forget the token. The app sends its new one when it is installed and started again."),
        APNsReason(
            "ExpiredToken", 410, "The token is no longer valid.",
            "Forget the token. The app sends its new one when it starts."),
        APNsReason(
            "TooManyRequests", 429, "Apple says that this device gets too many pushes.",
            "Send fewer messages to one device; collapse those that replace each other."),
        APNsReason(
            "TooManyProviderTokenUpdates", 429, "Apple was sent new provider tokens too often.",
            "Check that no other program signs with the same key again and again; then wait twenty minutes."),
        APNsReason(
            "ExpiredProviderToken", 403, "The provider token was too old: mostly the clock of this machine is wrong.",
            "Run pharos doctor, and set the clock."),
        APNsReason(
            "InvalidProviderToken", 403,
            "Apple does not take the APNs key: the key, its id or the team id is wrong, or it was "
                + "revoked.",
            "Upload the key again with its key id and team id, then run pharos doctor."),
        APNsReason(
            "MissingProviderToken", 403, "The push was sent without a provider token.",
            "Upload an APNs key."),
        APNsReason(
            "Forbidden", 403, "Apple forbids the push.",
            "Check the key and its team in the Apple developer account."),
        APNsReason(
            "BadCertificate", 403, "Apple does not take the certificate.",
            "Upload a valid certificate, or better a key (.p8)."),
        APNsReason(
            "BadCertificateEnvironment", 403, "The certificate is for the other environment.",
            "Upload a certificate for this environment, or better a key (.p8), which serves both."),
        APNsReason(
            "InternalServerError", 500, "Apple’s service failed.",
            "It is tried again until the time to live ends."),
        APNsReason(
            "ServiceUnavailable", 503, "Apple’s service is not available.",
            "It is tried again until the time to live ends."),
        APNsReason(
            "Shutdown", 503, "Apple’s server was shutting down.",
            "It is tried again until the time to live ends."),
    ]
}

/// What happened, and what to do about it.
public struct Explanation: Sendable, Equatable {
    public var text: String
    public var nextStep: String

    public init(_ text: String, nextStep: String) {
        self.text = text
        self.nextStep = nextStep
    }
}
