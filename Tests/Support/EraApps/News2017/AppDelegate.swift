import Firebase
import UIKit
import UserNotifications

/// A newspaper's app of the winter of 2016/2017, with version 1 of the library. The proxy hands messages over.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        FIRApp.configure()
        askReader(application)
        FIRMessaging.messaging().remoteMessageDelegate = self
        watchToken()
        return true
    }

    private func askReader(_ application: UIApplication) {
        if #available(iOS 10.0, *) {
            UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { accepted, _ in
                print("reader accepts \(accepted)")
            }
        } else {
            application.registerUserNotificationSettings(
                UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil))
        }
        application.registerForRemoteNotifications()
    }

    private func watchToken() {
        _ = NotificationCenter.default.addObserver(
            forName: .firInstanceIDTokenRefresh, object: nil, queue: .main
        ) { [weak self] _ in
            print("token \(FIRInstanceID.instanceID().token() ?? "none")")
            self?.connect()
        }
    }

    /// Nothing to connect with before there is a token: the notification comes back here.
    func connect() {
        guard FIRInstanceID.instanceID().token() != nil else { return print("no token yet") }
        let messaging = FIRMessaging.messaging()
        messaging.disconnect()
        messaging.connect { (problem) in
            print(problem.map { "not connected: \($0)" } ?? "connected")
        }
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        connect()
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        FIRMessaging.messaging().disconnect()
        print("disconnected")
    }

    /// The only method for messages that this app has: the one of iOS 3.
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        show(userInfo)
    }

    private func show(_ userInfo: [AnyHashable: Any]) {
        print("message \(userInfo["gcm.message_id"] ?? "without id"), article \(userInfo["article"] ?? "none")")
        guard let aps = userInfo["aps"] as? [AnyHashable: Any], let action = aps["category"] as? String else { return }
        print("open \(action)")
    }

    /// What the buttons of the app do: `news://follow/<topic>`, `news://leave/<topic>`, `news://write/<text>`.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        let word = url.lastPathComponent
        switch url.host {
        case "follow": FIRMessaging.messaging().subscribe(toTopic: "/topics/" + word)
        case "leave": FIRMessaging.messaging().unsubscribe(fromTopic: "/topics/" + word)
        case "write": write(word)
        default: return false
        }
        return true
    }

    private func write(_ text: String) {
        guard let sender = FIRApp.defaultApp()?.options.gcmSenderID else { return }
        FIRMessaging.messaging().sendMessage(
            ["letter": text], to: sender + "@gcm.googleapis.com", withMessageID: "letter-" + text, timeToLive: 3600)
    }
}

extension AppDelegate: FIRMessagingDelegate {
    /// Data that comes over the connection, on iOS 10.
    func applicationReceivedRemoteMessage(_ remoteMessage: FIRMessagingRemoteMessage) {
        print("data \(remoteMessage.appData["headline"] ?? "none")")
    }
}
