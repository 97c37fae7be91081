public import FirebasePlatform

/// An app could not be configured. The message names the key that is wrong.
public struct FirebaseConfigurationError: CodedError, Hashable {
    public enum Reason: Sendable, Hashable {
        case missingFile
        case missingValue(key: String)
        case malformedValue(key: String, reason: String)
        case invalidName(String)
        case alreadyConfigured(name: String)
    }

    public static let errorDomain = "com.firebase.core"
    public let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    /// The configuration error of the Instance ID era: -121.
    public var errorCode: Int { -121 }

    public var failureReason: String? { message }

    public var message: String {
        switch reason {
        case .missingFile:
            "FirebaseApp.configure() found no readable GoogleService-Info.plist in the app's main bundle."
        case .missingValue(let key):
            "Configuration fails: \(key) is missing in GoogleService-Info.plist or in the options."
        case .malformedValue(let key, let reason):
            "Configuration fails: \(key) in GoogleService-Info.plist or in the options is not valid; \(reason)."
        case .invalidName(let name):
            "The app name \"\(name)\" is not valid: use letters, digits, - and _."
        case .alreadyConfigured(let name):
            "The app \"\(name)\" has already been configured."
        }
    }

    package static var missingFile: Self { Self(.missingFile) }
    package static func missingValue(key: String) -> Self { Self(.missingValue(key: key)) }
    package static func malformedValue(key: String, reason: String) -> Self {
        Self(.malformedValue(key: key, reason: reason))
    }
    package static func invalidName(_ name: String) -> Self { Self(.invalidName(name)) }
    package static func alreadyConfigured(name: String) -> Self { Self(.alreadyConfigured(name: name)) }
}
