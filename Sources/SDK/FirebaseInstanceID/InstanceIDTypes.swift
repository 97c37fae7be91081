import FirebaseMessaging
public import FirebasePlatform

/// Which APNs environment a device token belongs to.
@available(*, deprecated, message: "Use MessagingAPNSTokenType instead.")
public enum InstanceIDAPNSTokenType: Int, Sendable, Hashable {
    /// Find out from the app's provisioning profile.
    case unknown = 0
    case sandbox = 1
    case prod = 2
}

/// Gets the token, or why there is none.
@available(*, deprecated, message: "Use Messaging.token(completion:) instead.")
public typealias InstanceIDTokenHandler = (_ token: String?, _ error: (any Error)?) -> Void

/// Told why the token was not deleted; `nil` when it was.
@available(*, deprecated, message: "Use Messaging.deleteToken(completion:) instead.")
public typealias InstanceIDDeleteTokenHandler = (_ error: (any Error)?) -> Void

/// Gets the id, or why there is none.
@available(*, deprecated, message: "Use Installations.installationID(completion:) instead.")
public typealias InstanceIDHandler = (_ identity: String?, _ error: (any Error)?) -> Void

/// Told why the instance was not deleted; `nil` when it was.
@available(*, deprecated, message: "Use Installations.delete(completion:) instead.")
public typealias InstanceIDDeleteHandler = (_ error: (any Error)?) -> Void

/// Gets the id and the default token, or why they are not there.
@available(*, deprecated, message: "Use Installations.installationID and Messaging.token instead.")
public typealias InstanceIDResultHandler = (_ result: InstanceIDResult?, _ error: (any Error)?) -> Void

extension NotificationName {
    /// The default token is there, or changed, or was deleted; the object is the token.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @available(*, deprecated, message: "Use MessagingDelegate.messaging(_:didReceiveRegistrationToken:) instead.")
    public static var InstanceIDTokenRefresh: NotificationName { instanceTokenRefreshed }
}
