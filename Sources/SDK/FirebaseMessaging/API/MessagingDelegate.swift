/// Told about registrations and messages. Every method is called on the main executor, and every one is optional.
public protocol MessagingDelegate: AnyObject {
    /// A registration token is there: once per start of the app, and whenever it changes. `nil` after it was deleted.
    /// Not called while the app registers with its installation id.
    @available(*, deprecated, message: "Register with the installation id: messaging(_:didReceiveRegistration:).")
    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?)
    /// As apps wrote it before version 7. Not called when the token was deleted.
    @available(*, deprecated, message: "The token is optional now: messaging(_:didReceiveRegistrationToken: String?).")
    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String)
    /// The name of `messaging(_:didReceiveRegistrationToken:)` in version 2.0.
    @available(*, deprecated, message: "Use messaging(_:didReceiveRegistrationToken:) instead.")
    func messaging(_ messaging: Messaging, didRefreshRegistrationToken fcmToken: String)
    /// The installation is registered: once per start of the app, and whenever the id changes. `nil` when it no longer
    /// is. Called only while the app registers with its installation id.
    func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?)
    /// `unregister` succeeded for this installation id.
    func messaging(_ messaging: Messaging, didUnregister installationId: String)
    /// A message came over the direct channel.
    @available(*, deprecated, message: "Google's servers have no direct channel any more; Pharos has.")
    func messaging(_ messaging: Messaging, didReceive remoteMessage: MessagingRemoteMessage)
    /// The name of `messaging(_:didReceive:)` in version 2.
    @available(*, deprecated, message: "Use messaging(_:didReceive:) instead.")
    func application(received remoteMessage: MessagingRemoteMessage)
    /// The name of `messaging(_:didReceive:)` in version 1.
    @available(*, deprecated, message: "Use messaging(_:didReceive:) instead.")
    func applicationReceivedRemoteMessage(_ remoteMessage: MessagingRemoteMessage)
}

extension MessagingDelegate {
    public func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?) {
        messaging.warnAboutMissing("messaging(_:didReceiveRegistration:)")
    }

    public func messaging(_ messaging: Messaging, didUnregister installationId: String) {}
}

// The method that an app has, of whatever year, is the one that is called: each older one is the default of a newer one.
@available(*, deprecated)
extension MessagingDelegate {
    public func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) {
        if let fcmToken { self.messaging(messaging, didReceiveRegistrationToken: fcmToken) }
    }

    public func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String) {
        self.messaging(messaging, didRefreshRegistrationToken: fcmToken)
    }

    public func messaging(_ messaging: Messaging, didRefreshRegistrationToken fcmToken: String) {
        messaging.warnAboutMissing("messaging(_:didReceiveRegistrationToken:)")
    }

    public func messaging(_ messaging: Messaging, didReceive remoteMessage: MessagingRemoteMessage) {
        application(received: remoteMessage)
    }

    public func application(received remoteMessage: MessagingRemoteMessage) {
        applicationReceivedRemoteMessage(remoteMessage)
    }

    public func applicationReceivedRemoteMessage(_ remoteMessage: MessagingRemoteMessage) {
        Messaging.messaging().warnAboutLostMessage()
    }
}
