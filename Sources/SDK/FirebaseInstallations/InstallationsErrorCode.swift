public import FirebasePlatform

/// Domain of `InstallationsErrorCode`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let InstallationsErrorDomain = "com.firebase.installations"

/// Why a call of `Installations` failed.
public struct InstallationsErrorCode: CodedError, Hashable {
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let unknown = Code(rawValue: 0)
        /// The installation could not be read from or written to the secure store.
        public static let keychain = Code(rawValue: 1)
        /// No answer from the server, or not now: try again later.
        public static let serverUnreachable = Code(rawValue: 2)
        /// The app's configuration, its API key or its restrictions do not let it in.
        public static let invalidConfiguration = Code(rawValue: 3)
    }

    public static let errorDomain = InstallationsErrorDomain
    public let code: Code
    public let failureReason: String?

    public init(_ code: Code, reason: String? = nil) {
        self.code = code
        failureReason = reason
    }

    public var errorCode: Int { code.rawValue }

    public static var unknown: Code { .unknown }
    public static var keychain: Code { .keychain }
    public static var serverUnreachable: Code { .serverUnreachable }
    public static var invalidConfiguration: Code { .invalidConfiguration }
}

extension InstallationsErrorCode.Code {
    /// Lets `catch InstallationsErrorCode.serverUnreachable` match.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? InstallationsErrorCode)?.code == code
    }
}
