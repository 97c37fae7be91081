import FirebaseMessaging
import FirebaseMessagingDelegates
import Foundation
import UserNotifications

#if os(macOS)
    import AppKit
#elseif os(watchOS)
    import WatchKit
#else
    import UIKit
#endif

/// Asks the user, and shows what happens.
final class AppDelegate: MessagingAppDelegate {
    private let notifications = NotificationDelegate()

    #if os(macOS)
        override func applicationDidFinishLaunching(_ notification: Notification) {
            super.applicationDidFinishLaunching(notification)
            start()
        }
    #elseif os(watchOS)
        override func applicationDidFinishLaunching() {
            super.applicationDidFinishLaunching()
            start()
        }
    #else
        override func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
        ) -> Bool {
            let isDone = super.application(application, didFinishLaunchingWithOptions: launchOptions)
            start()
            return isDone
        }
    #endif

    private func start() {
        Messaging.messaging().delegate = self
        let center = UNUserNotificationCenter.current()
        center.delegate = notifications
        center.requestAuthorization(options: [.alert, .badge, .sound]) { isGranted, _ in
            Task { @MainActor in Inbox.shared.note("Notifications allowed: \(isGranted)") }
        }
    }
}

extension AppDelegate: MessagingDelegate {
    nonisolated func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) {
        MainActor.assumeIsolated { Inbox.shared.note("Token: \(fcmToken ?? "none")") }
    }
}

/// Shows notifications while the app is open, and notes the user's answers.
final class NotificationDelegate: MessagingNotificationDelegate {
    override func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        super.userNotificationCenter(center, didReceive: response, withCompletionHandler: completionHandler)
        let title = response.notification.request.content.title
        Task { @MainActor in Inbox.shared.note("Opened: \(title)") }
    }
}
