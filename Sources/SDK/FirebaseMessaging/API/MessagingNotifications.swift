public import FirebasePlatform

extension NotificationName {
    /// Posted with every token or registration callback of the delegate; the object is the token, or the installation
    /// id when the app registers with that.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let MessagingRegistrationTokenRefreshed = NotificationName(
        "com.firebase.messaging.notif.fcm-token-refreshed")
    /// Posted after `unregister` succeeded; the object is the installation id that was registered.
    public static let messagingInstallationIdUnregistered = NotificationName(
        "com.firebase.messaging.notif.installation-id-unregistered")

    // Names that other modules of the vendor listen to.

    static let apnsTokenSet = NotificationName("com.firebase.iid.notif.apns-token")
    static let defaultTokenFetched = NotificationName("com.firebase.iid.notif.fcm-token")
    static let checkInFetched = NotificationName("com.google.gcm.notif-checkin-fetched")
}
