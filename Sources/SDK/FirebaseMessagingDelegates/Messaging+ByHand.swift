#if canImport(Darwin)
    public import FirebaseMessaging
    public import Foundation

    #if !os(tvOS)
        public import UserNotifications
    #endif

    // What an app calls that has FirebaseAppDelegateProxyEnabled = NO, one call per method of its delegates. Each may be
    // called beside the proxy, too: messages are told apart by their ids.

    extension Messaging {
        /// Call it in `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`, or the watch's method.
        public func didRegisterForRemoteNotifications(deviceToken: Data) {
            apnsToken = deviceToken
        }

        /// Call it in `application(_:didReceiveRemoteNotification:)`, with or without a fetch handler. The handler stays
        /// with the app.
        public func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) {
            appDidReceiveMessage(userInfo)
        }

        #if !os(tvOS)
            /// Call it in `userNotificationCenter(_:willPresent:)`.
            public func willPresent(_ notification: UNNotification) {
                appDidReceiveMessage(notification.request.content.userInfo)
            }

            /// Call it in `userNotificationCenter(_:didReceive:)`. It tells notifications that the user put away from
            /// those that were opened.
            public func didReceive(_ response: UNNotificationResponse) {
                guard response.actionIdentifier == UNNotificationDismissActionIdentifier else {
                    return willPresent(response.notification)
                }
                appDidDismissMessage(response.notification.request.content.userInfo)
            }
        #endif
    }
#endif
