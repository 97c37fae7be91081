public import FirebasePlatform

#if canImport(Darwin)
    public import Foundation
#endif

extension NotificationName {
    /// Posted after `unregister` succeeded; the object is the installation id that was registered.
    public static let messagingInstallationIdUnregistered = NotificationName(
        "com.firebase.messaging.notif.installation-id-unregistered")

    /// Its public name is deprecated, as it is in the official SDK.
    static let registrationRefreshed = NotificationName("com.firebase.messaging.notif.fcm-token-refreshed")

    // Of the direct channel. Their public names are deprecated, as they are in the official SDK.

    static let upstreamSent = NotificationName("com.firebase.messaging.notif.send-success")
    static let upstreamFailed = NotificationName("com.firebase.messaging.notif.send-error")
    static let directChannelMessagesDeleted = NotificationName("com.firebase.messaging.notif.messages-deleted")
    static let directChannelChanged = NotificationName("com.firebase.messaging.notif.connection-state-changed")

    // Names that other modules of the vendor listen to.

    static let apnsTokenSet = NotificationName("com.firebase.iid.notif.apns-token")
    static let defaultTokenFetched = NotificationName("com.firebase.iid.notif.fcm-token")
    /// Its public name belongs to the Instance ID library.
    package static let instanceTokenRefreshed = NotificationName("com.firebase.iid.notif.refresh-token")
    static let checkInFetched = NotificationName("com.google.gcm.notif-checkin-fetched")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NotificationName {
    /// Posted with every token or registration callback of the delegate; the object is the token, or the installation
    /// id when the app registers with that.
    @available(*, deprecated, message: "Use MessagingDelegate.messaging(_:didReceiveRegistration:) instead.")
    public static var MessagingRegistrationTokenRefreshed: NotificationName { registrationRefreshed }

    /// The server has a message of `sendMessage`; `userInfo["messageID"]` says which.
    @available(*, deprecated, message: "Google's servers take no messages from apps any more; Pharos does.")
    public static var MessagingSendSuccess: NotificationName { upstreamSent }

    /// A message of `sendMessage` did not reach the server and will not; `userInfo["messageID"]` says which, and
    /// `userInfo["error"]` why.
    @available(*, deprecated, message: "Google's servers take no messages from apps any more; Pharos does.")
    public static var MessagingSendError: NotificationName { upstreamFailed }

    /// The server gave up messages that waited for this device: too many, or for too long. Ask the app's own server
    /// for what is missing.
    @available(*, deprecated, message: "Google's servers have no direct channel any more; Pharos has.")
    public static var MessagingMessagesDeleted: NotificationName { directChannelMessagesDeleted }

    /// The direct channel went up or down; the object is the `Messaging`.
    @available(*, deprecated, message: "Google's servers have no direct channel any more; Pharos has.")
    public static var MessagingConnectionStateChanged: NotificationName { directChannelChanged }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name under which some guides know `NotificationName.MessagingRegistrationTokenRefreshed`.
@available(*, deprecated, renamed: "NotificationName.MessagingRegistrationTokenRefreshed")
public var kFIRMessagingRegistrationTokenRefreshNotification: NotificationName { .registrationRefreshed }
