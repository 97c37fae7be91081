import Firebase
import UIKit

/// The same newspaper without swizzling: `FirebaseAppDelegateProxyEnabled` is NO, and the app hands its device token and its
/// messages over.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        FIRApp.configure()
        _ = NotificationCenter.default.addObserver(
            forName: .firInstanceIDTokenRefresh, object: nil, queue: .main
        ) { _ in
            print("token \(FIRInstanceID.instanceID().token() ?? "none")")
        }
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil))
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        guard !CommandLine.arguments.contains("--keeps-device-token") else { return print("device token kept") }
        FIRInstanceID.instanceID().setAPNSToken(deviceToken, type: FIRInstanceIDAPNSTokenType.sandbox)
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        print("no device token: \(error)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let info = FIRMessaging.messaging().appDidReceiveMessage(userInfo)
        print("message \(userInfo["gcm.message_id"] ?? "without id"), new \(info.status == .new)")
        completionHandler(UIBackgroundFetchResult.newData)
    }
}
