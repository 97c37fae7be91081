public import FirebasePlatform

/// Domain of `MessagingError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MessagingErrorDomain = "com.google.fcm"

/// Why a call of `Messaging` failed. Domain and numbers are those of the official SDK: people search for them.
public struct MessagingError: CodedError, Hashable {
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The server's reply is unusable; the failure reason holds what it said.
        public static let unknown = Code(rawValue: 0)
        public static let authentication = Code(rawValue: 1)
        public static let noAccess = Code(rawValue: 2)
        public static let timeout = Code(rawValue: 3)
        public static let network = Code(rawValue: 4)
        public static let operationInProgress = Code(rawValue: 5)
        /// The call does not fit: an empty sender, or an API of the other mode.
        public static let invalidRequest = Code(rawValue: 7)
        public static let invalidTopicName = Code(rawValue: 8)
    }

    public static let errorDomain = MessagingErrorDomain
    public let code: Code
    public let failureReason: String?

    public init(_ code: Code, reason: String? = nil) {
        self.code = code
        failureReason = reason
    }

    public var errorCode: Int { code.rawValue }

    public static var unknown: Code { .unknown }
    public static var authentication: Code { .authentication }
    public static var noAccess: Code { .noAccess }
    public static var timeout: Code { .timeout }
    public static var network: Code { .network }
    public static var operationInProgress: Code { .operationInProgress }
    public static var invalidRequest: Code { .invalidRequest }
    public static var invalidTopicName: Code { .invalidTopicName }
}

extension MessagingError.Code {
    /// Lets `catch MessagingError.invalidRequest` match.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? MessagingError)?.code == code
    }

    // Codes of the same domain without a public name.

    /// Check-in failed before a token operation.
    static let checkInFailed = Self(rawValue: 6)
    static let missingDeviceID = Self(rawValue: 501)
    static let missingAuthorizedEntity = Self(rawValue: 502)
    static let missingInstallationID = Self(rawValue: 504)
    static let missingDeviceToken = Self(rawValue: 505)
    static let missingInstallationsAuth = Self(rawValue: 506)
    /// The server asked the client to forget its identity, or the installation id could not be had.
    static let invalidIdentity = Self(rawValue: 2001)
    static let upstreamExpired = Self(rawValue: 1001)
    static let upstreamWithoutReceiver = Self(rawValue: 1003)
    static let upstreamNotSaved = Self(rawValue: 1004)
    static let upstreamTooLarge = Self(rawValue: 1005)
    /// The same number as `invalidIdentity`, from an older time.
    static let alreadyConnected = Self(rawValue: 2001)
    static let topicOperationCancelled = Self(rawValue: 3005)
}

extension MessagingError {
    static let missingDeviceToken = MessagingError(
        .missingDeviceToken, reason: "No APNs device token is set yet: wait for the registration with APNs.")
    static let missingSender = MessagingError(
        .missingAuthorizedEntity, reason: "The sender ID is missing: GCM_SENDER_ID in GoogleService-Info.plist.")
    static let wrongTopicName = MessagingError(
        .invalidTopicName,
        reason: "A topic name has 1 to \(TopicName.maximumCharacters) of the characters a-z A-Z 0-9 - _ . ~ %")
    static let topicOperationCancelled = MessagingError(
        .topicOperationCancelled, reason: "The app was deleted. The topic call goes on when it is configured again.")
    static let wrongModeForTokens = MessagingError(
        .invalidRequest,
        reason: "Registration tokens are off while FirebaseMessagingInstallationIdEnabled is YES: call register().")
    static let wrongModeForRegistrations = MessagingError(
        .invalidRequest, reason: "Set FirebaseMessagingInstallationIdEnabled to YES in Info.plist first.")
}

// The direct channel and messages to app servers.
extension MessagingError {
    static let alreadyConnected = MessagingError(.alreadyConnected, reason: "The direct channel is up already.")
    static let noDeviceID = MessagingError(
        .missingDeviceID, reason: "The device has not checked in yet. The direct channel follows when it has.")
    static let noNetwork = MessagingError(.network, reason: "There is no network.")
    static let disconnected = MessagingError(
        .network, reason: "The direct channel was given up before it was up.")
    static let appDeleted = MessagingError(.network, reason: "The app was deleted.")
    static let upstreamExpired = MessagingError(
        .upstreamExpired, reason: "The time to live ended before the server had the message.")
    static let missingReceiver = MessagingError(.upstreamWithoutReceiver, reason: "The receiver is missing.")
    static let upstreamTooLarge = MessagingError(
        .upstreamTooLarge,
        reason: "Keys and values of a message have at most \(UpstreamMessage.maximumSize) characters together.")

    static func upstreamNotSaved(_ reason: String) -> MessagingError {
        MessagingError(.upstreamNotSaved, reason: "The message could not be stored: \(reason)")
    }
}
