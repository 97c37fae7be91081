#if canImport(ObjectiveC)
    public import Foundation

    /// `MessagingDelegate` for Objective-C.
    @objc(FIRMessagingDelegate)
    public protocol ObjCMessagingDelegate: NSObjectProtocol {
        @objc(messaging:didReceiveRegistrationToken:)
        optional func messaging(_ messaging: ObjCMessaging, didReceiveRegistrationToken fcmToken: String?)
        @objc(messaging:didReceiveRegistration:)
        optional func messaging(_ messaging: ObjCMessaging, didReceiveRegistration installationId: String?)
        @objc(messaging:didUnregister:)
        optional func messaging(_ messaging: ObjCMessaging, didUnregister installationId: String)
        @objc(messaging:didReceiveMessage:)
        optional func messaging(_ messaging: ObjCMessaging, didReceive remoteMessage: ObjCMessagingRemoteMessage)
        @objc(messaging:didRefreshRegistrationToken:)
        optional func messaging(_ messaging: ObjCMessaging, didRefreshRegistrationToken fcmToken: String)
        @objc(applicationReceivedRemoteMessage:)
        optional func applicationReceivedRemoteMessage(_ remoteMessage: ObjCMessagingRemoteMessage)
    }

    /// Passes on to an Objective-C delegate what the core tells its delegate.
    ///
    /// `@unchecked Sendable` holds because both references are weak, which load atomically, and never change; the
    /// delegate's methods are called on main only.
    final class ObjCDelegateBridge: MessagingDelegate, @unchecked Sendable {
        weak let delegate: (any ObjCMessagingDelegate)?
        private weak let messaging: ObjCMessaging?

        init(_ delegate: any ObjCMessagingDelegate, of messaging: ObjCMessaging) {
            self.delegate = delegate
            self.messaging = messaging
        }

        func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) {
            guard let delegate, let told = self.messaging else { return }
            if let method = delegate.messaging(_:didReceiveRegistrationToken:) {
                method(told, fcmToken)
            } else if let method = delegate.messaging(_:didRefreshRegistrationToken:), let fcmToken {
                method(told, fcmToken)
            }
        }

        func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?) {
            guard let told = self.messaging else { return }
            delegate?.messaging?(told, didReceiveRegistration: installationId)
        }

        func messaging(_ messaging: Messaging, didUnregister installationId: String) {
            guard let told = self.messaging else { return }
            delegate?.messaging?(told, didUnregister: installationId)
        }

        @available(*, deprecated)
        func messaging(_ messaging: Messaging, didReceive remoteMessage: MessagingRemoteMessage) {
            guard let delegate, let told = self.messaging else { return }
            let message = ObjCMessagingRemoteMessage(messageID: remoteMessage.messageID) { remoteMessage.appData }
            if let method = delegate.messaging(_:didReceive:) {
                method(told, message)
            } else {
                delegate.applicationReceivedRemoteMessage?(message)
            }
        }
    }
#endif
