#if canImport(Darwin) && !os(tvOS)
    import FirebaseMessaging
    public import Foundation
    public import UserNotifications

    /// A delegate of the user notification centre: it shows notifications while the app is open and tells messaging.
    ///
    /// The centre holds its delegate weakly: keep it. Subclass it to act on the user's answers; call `super`.
    open class MessagingNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
        open func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
        ) {
            Messaging.messaging().willPresent(notification)
            completionHandler([.banner, .list, .sound, .badge])
        }

        open func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            Messaging.messaging().didReceive(response)
            completionHandler()
        }
    }
#endif
