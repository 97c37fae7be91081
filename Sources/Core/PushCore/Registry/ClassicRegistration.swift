public import PushModel

/// A registration request of the token era, whatever endpoint and form it came through.
///
/// Source: `/c2dm/register3` and Apple's `/register`, as their clients send them.
public struct ClassicRegistration: Sendable, Equatable {
    /// From `Authorization: AidLogin`.
    public var device: DeviceCredentials?
    /// The `device` field; must name the same device.
    public var deviceField: String
    /// Bundle id, package or browser name.
    public var app: String
    public var sender: String
    public var subtype: String
    public var scope: String
    /// The FID, or the Instance ID of older SDKs; empty when the client has none.
    public var appInstance: String
    public var firebaseAppID: String
    public var installationAuth: String
    /// `s_<hex>` (sandbox) or `p_<hex>` (production); empty for other platforms.
    public var apnsToken: String
    public var isApple: Bool
    public var appVersion: String
    public var sdkVersion: String

    public init(
        device: DeviceCredentials?, deviceField: String, app: String, sender: String, subtype: String = "",
        scope: String = "", appInstance: String = "", firebaseAppID: String = "", installationAuth: String = "",
        apnsToken: String = "", isApple: Bool = false, appVersion: String = "", sdkVersion: String = ""
    ) {
        self.device = device
        self.deviceField = deviceField
        self.app = app
        self.sender = sender
        self.subtype = subtype
        self.scope = scope
        self.appInstance = appInstance
        self.firebaseAppID = firebaseAppID
        self.installationAuth = installationAuth
        self.apnsToken = apnsToken
        self.isApple = isApple
        self.appVersion = appVersion
        self.sdkVersion = sdkVersion
    }
}

/// Why a classic registration was refused: the code of the `Error=` line.
public enum ClassicRegistrationError: Error, Sendable, Equatable {
    /// The credentials of the device are not right: HTTP 401.
    case authenticationFailed
    /// The device is not known (yet); clients check in and try again.
    case phoneRegistrationError
    case invalidSender
    case invalidParameters
    /// The installation's auth token is missing, expired or of another installation.
    case installationAuthError
    /// Another device has this Instance ID: clients forget it and make a new one.
    case identityReset
    case serviceNotAvailable
    /// The app instance follows as many topics as it may.
    case tooManySubscribers
    /// The project changes more subscriptions than it may: HTTP 429.
    case topicRateExceeded

    /// The code on the wire.
    public var code: String {
        switch self {
        case .authenticationFailed: "AUTHENTICATION_FAILED"
        case .phoneRegistrationError: "PHONE_REGISTRATION_ERROR"
        case .invalidSender: "INVALID_SENDER"
        case .invalidParameters: "INVALID_PARAMETERS"
        case .installationAuthError: "FIS_AUTH_ERROR"
        case .identityReset: "RST"
        // Of the codes for a limit Android tries none again, so it would lose the subscription.
        case .serviceNotAvailable, .topicRateExceeded: "SERVICE_NOT_AVAILABLE"
        case .tooManySubscribers: "TOO_MANY_SUBSCRIBERS"
        }
    }
}
