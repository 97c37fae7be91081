#if canImport(Darwin)
    import FirebaseCore
    import FirebaseMessaging
    public import Foundation

    #if os(macOS)
        public import AppKit
    #elseif os(watchOS)
        public import WatchKit
    #else
        public import UIKit
    #endif

    /// An app delegate for apps that have none, as apps of SwiftUI: it configures Firebase and registers with APNs.
    ///
    /// ```swift
    /// @main struct NewsApp: App {
    ///     @UIApplicationDelegateAdaptor(MessagingAppDelegate.self) private var delegate
    /// ```
    ///
    /// It works with and without the proxy. Subclass it to add methods; call `super` in those it has.
    #if os(macOS)
        @MainActor
        open class MessagingAppDelegate: NSObject, NSApplicationDelegate {
            open func applicationDidFinishLaunching(_ notification: Notification) {
                if FirebaseApp.allApps == nil { FirebaseApp.configure() }
                HostedApplication.registerForRemoteNotifications()
            }

            open func application(
                _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
            ) {
                Messaging.messaging().didRegisterForRemoteNotifications(deviceToken: deviceToken)
            }

            open func application(
                _ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]
            ) {
                Messaging.messaging().didReceiveRemoteNotification(userInfo)
            }
        }
    #elseif os(watchOS)
        @MainActor
        open class MessagingAppDelegate: NSObject, WKApplicationDelegate {
            open func applicationDidFinishLaunching() {
                if FirebaseApp.allApps == nil { FirebaseApp.configure() }
                HostedApplication.registerForRemoteNotifications()
            }

            open func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
                Messaging.messaging().didRegisterForRemoteNotifications(deviceToken: deviceToken)
            }

            open func didReceiveRemoteNotification(
                _ userInfo: [AnyHashable: Any],
                fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void
            ) {
                Messaging.messaging().didReceiveRemoteNotification(userInfo)
                completionHandler(.noData)
            }
        }
    #else
        @MainActor
        open class MessagingAppDelegate: UIResponder, UIApplicationDelegate {
            open func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
            ) -> Bool {
                if FirebaseApp.allApps == nil { FirebaseApp.configure() }
                HostedApplication.registerForRemoteNotifications()
                return true
            }

            open func application(
                _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
            ) {
                Messaging.messaging().didRegisterForRemoteNotifications(deviceToken: deviceToken)
            }

            open func application(
                _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
                fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
            ) {
                Messaging.messaging().didReceiveRemoteNotification(userInfo)
                completionHandler(.noData)
            }
        }
    #endif

    /// The running app.
    @MainActor
    enum HostedApplication {
        static func registerForRemoteNotifications() {
            #if os(macOS)
                NSApplication.shared.registerForRemoteNotifications()
            #elseif os(watchOS)
                WKApplication.shared().registerForRemoteNotifications()
            #else
                UIApplication.shared.registerForRemoteNotifications()
            #endif
        }
    }
#endif
