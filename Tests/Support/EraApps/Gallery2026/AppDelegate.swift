import FirebaseCore
import FirebaseMessaging
import UIKit
import UserNotifications

/// A gallery's app of 2026: it registers with its installation id.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var observer: (any NSObjectProtocol)?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        FirebaseApp.configure()
        Messaging.messaging().delegate = self
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().setNotificationCategories([
            UNNotificationCategory(
                identifier: "OPENING", actions: [], intentIdentifiers: [], options: [.customDismissAction]),
            UNNotificationCategory(identifier: "CLOSING", actions: [], intentIdentifiers: []),
        ])
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        observer = NotificationCenter.default.addObserver(
            forName: kFIRMessagingRegistrationTokenRefreshNotification, object: nil, queue: .main
        ) { print("refreshed \($0.object ?? "nothing")") }
        application.registerForRemoteNotifications()
        print("by itself \(Messaging.messaging().isAutoInitEnabled)")
        return true
    }

    /// For the app without swizzling, and for apps of SwiftUI.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        Messaging.messaging().apnsToken = deviceToken
    }

    /// What the buttons of the app do. Each is a link `gallery://<button>/<word>`.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        switch url.host {
        case "agree": Messaging.messaging().autoInitEnabled = true
        case "register": Messaging.messaging().register { tell("registered", $0) }
        case "unregister": Messaging.messaging().unregister { tell("unregistered", $0) }
        case "token":
            Messaging.messaging().token { token, error in tell("fetched \(token ?? "none")", error) }
        case "delete-token": Messaging.messaging().deleteToken { tell("token deleted", $0) }
        case "join": Messaging.messaging().subscribe(toTopic: url.lastPathComponent) { tell("joined", $0) }
        default: return false
        }
        return true
    }
}

extension AppDelegate: MessagingDelegate {
    func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?) {
        print("installation \(installationId ?? "none")")
    }

    func messaging(_ messaging: Messaging, didUnregister installationId: String) {
        print("gone \(installationId)")
    }

    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) {
        print("token \(fcmToken ?? "none")")
    }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        print("while open: \(notification.request.content.title)")
        completionHandler([.banner, .list])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let isDismissal = response.actionIdentifier == UNNotificationDismissActionIdentifier
        print("\(isDismissal ? "put away" : "tapped"): \(response.notification.request.content.title)")
        completionHandler()
    }
}

private func tell(_ done: String, _ error: (any Error)?) {
    print(error.map { "failed: \(done): \($0)" } ?? done)
}
