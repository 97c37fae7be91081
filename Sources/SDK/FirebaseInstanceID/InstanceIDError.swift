import FirebaseMessaging
public import FirebasePlatform

/// Why a call of `InstanceID` failed. Domain and numbers are those of the official SDK: people search for them.
public struct InstanceIDError: CodedError, Hashable {
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
        public static let invalidRequest = Code(rawValue: 7)
    }

    public static let errorDomain = "com.firebase.iid"
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
}

extension InstanceIDError.Code {
    /// Lets `catch InstanceIDError.invalidRequest` match.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? InstanceIDError)?.code == code
    }

    // Codes of the same domain without a public name.

    static let checkInFailed = Self(rawValue: 6)
    static let missingDeviceID = Self(rawValue: 501)
    static let missingDeviceToken = Self(rawValue: 1001)
    static let invalidEntity = Self(rawValue: 1003)
    static let invalidScope = Self(rawValue: 1004)
    static let invalidIdentity = Self(rawValue: 2006)
}

extension InstanceIDError {
    static let missingDeviceToken = InstanceIDError(
        .missingDeviceToken, reason: "The option apns_token is missing: scope fcm needs it.")
    static let wrongDeviceToken = InstanceIDError(
        .invalidRequest, reason: "The option apns_token must be Data, and not be empty.")
    static let missingEntity = InstanceIDError(.invalidEntity, reason: "The authorized entity is empty.")
    static let missingScope = InstanceIDError(.invalidScope, reason: "The scope is empty.")

    /// What messaging says, in the numbers of this domain.
    init(_ error: MessagingError) {
        let code: Code =
            switch error.errorCode {
            case 6: .checkInFailed
            case 501: .missingDeviceID
            case 502: .invalidEntity
            case 505: .missingDeviceToken
            case 2001: .invalidIdentity
            case 0, 7: Code(rawValue: error.errorCode)
            default: .unknown
            }
        self.init(code, reason: error.failureReason)
    }
}
