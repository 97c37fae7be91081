import Firebase
import UIKit
import UserNotifications

/// A shop's app of the years 2018 to 2021: nothing is registered until its user agrees, data comes over the direct
/// channel, and orders go to the shop's server the same way.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var observers: [any NSObjectProtocol] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        FirebaseApp.configure()
        Messaging.messaging().delegate = self
        UNUserNotificationCenter.current().delegate = self
        observe()
        Messaging.messaging().shouldEstablishDirectChannel = true
        print("agreed \(Messaging.messaging().isAutoInitEnabled), known token \(Messaging.messaging().fcmToken != nil)")
        if Messaging.messaging().isAutoInitEnabled { turnAlertsOn(application) }
        return true
    }

    private func turnAlertsOn(_ application: UIApplication) {
        let wanted: UNAuthorizationOptions = [.alert, .badge, .sound]
        UNUserNotificationCenter.current().requestAuthorization(options: wanted) { accepted, _ in
            print("alerts \(accepted)")
        }
        application.registerForRemoteNotifications()
    }

    private func observe() {
        on(.MessagingRegistrationTokenRefreshed) {
            print("refreshed \(Messaging.messaging().fcmToken != nil) \($0.object != nil)")
        }
        on(.MessagingConnectionStateChanged) { _ in
            print("channel \(Messaging.messaging().isDirectChannelEstablished)")
        }
        on(.MessagingMessagesDeleted) { _ in print("messages deleted: ask the shop for everything") }
        on(.MessagingSendSuccess) { print("sent \($0.userInfo?["messageID"] ?? "none")") }
        on(.MessagingSendError) {
            print("not sent \($0.userInfo?["messageID"] ?? "none"), \($0.userInfo?["error"] ?? "no reason")")
        }
    }

    private func on(_ name: Notification.Name, _ react: @escaping @Sendable (Notification) -> Void) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main, using: react))
    }

    func applicationWillTerminate(_ application: UIApplication) {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    /// For the app that has swizzling off. With swizzling on the SDK has the same token already.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        Messaging.messaging().apnsToken = deviceToken
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Messaging.messaging().appDidReceiveMessage(userInfo)
        print("in the background: basket \(userInfo["basket"] ?? "none")")
        completionHandler(.newData)
    }
}

extension AppDelegate: MessagingDelegate {
    /// The token was no optional then.
    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String) {
        print("token \(fcmToken)")
    }

    func messaging(_ messaging: Messaging, didReceive remoteMessage: MessagingRemoteMessage) {
        print("data \(remoteMessage.messageID): basket \(remoteMessage.appData["basket"] ?? "none")")
    }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let content = notification.request.content
        Messaging.messaging().appDidReceiveMessage(content.userInfo)
        print("while open: \(content.title)")
        completionHandler(content.userInfo["quiet"] == nil ? [.alert] : [])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let content = response.notification.request.content
        Messaging.messaging().appDidReceiveMessage(content.userInfo)
        print("tapped: \(content.title), go to \(content.categoryIdentifier)")
        completionHandler()
    }
}
