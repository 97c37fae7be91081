import DeviceSimulator
import FirebasePlatform
import JSON

/// An app delegate on a virtual iPhone.
///
/// `@unchecked Sendable` holds because everything happens on the phone's main thread.
final class HostedDelegate: HostedApp, NotificationSystem, @unchecked Sendable {
    private let application = UIApplication()
    private let delegate: any UIApplicationDelegate
    private let phone: VirtualIPhone
    private let userAccepts: @Sendable () -> Bool

    init(_ delegate: any UIApplicationDelegate, on phone: VirtualIPhone, userAccepts: @escaping @Sendable () -> Bool) {
        self.delegate = delegate
        self.phone = phone
        self.userAccepts = userAccepts
        application.phone = phone
        application.delegate = delegate
    }

    private var center: UNUserNotificationCenter { .current() }

    func didFinishLaunching(tapped payload: JSONObject?) {
        NotificationCenter.removeAllObservers()
        center.delegate = nil
        center.system = self
        UIApplication.shared = application
        let options = payload.map { [UIApplication.LaunchOptionsKey.remoteNotification: $0.userInfo as Any] }
        _ = delegate.application(application, willFinishLaunchingWithOptions: options)
        _ = delegate.application(application, didFinishLaunchingWithOptions: options)
    }

    func didBecomeActive() { delegate.applicationDidBecomeActive(application) }
    func didEnterBackground() { delegate.applicationDidEnterBackground(application) }
    func willTerminate() { delegate.applicationWillTerminate(application) }

    func didRegister(deviceToken: [UInt8]) {
        delegate.application(application, didRegisterForRemoteNotificationsWithDeviceToken: Data(deviceToken))
    }

    func didFailToRegister(reason: String) {
        delegate.application(
            application, didFailToRegisterForRemoteNotificationsWithError: RegistrationFailure(reason: reason))
    }

    func willPresent(_ notification: ShownNotification, answer: @escaping @Sendable (_ shows: Bool) -> Void) {
        let shown = UNNotification(notification)
        guard let delegate = center.delegate else {
            deliverToAppDelegate(shown)
            return answer(false)
        }
        delegate.userNotificationCenter(center, willPresent: shown) { answer($0.shows) }
    }

    func didReceiveResponse(to notification: ShownNotification, action: NotificationAction) {
        let response = UNNotificationResponse(UNNotification(notification), actionIdentifier: action.rawValue)
        guard let delegate = center.delegate else { return deliverToAppDelegate(response) }
        delegate.userNotificationCenter(center, didReceive: response) {}
    }

    func didReceiveRemoteNotification(_ payload: JSONObject) { deliver(payload.userInfo) }

    func posted(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable]) {
        var info: [AnyHashable: Any] = [:]
        for (key, value) in userInfo { info[key] = value }
        NotificationCenter.default.post(name: name, object: object, userInfo: info.isEmpty ? nil : info)
    }

    /// Another app, or a web page, opens a link of this one.
    func open(_ url: URL) -> Bool { delegate.application(application, open: url, options: [:]) }

    // MARK: NotificationSystem

    func requestAuthorization() -> Bool {
        let accepts = userAccepts()
        phone.setAllowsNotifications(accepts)
        return accepts
    }

    func deliverToAppDelegate(_ notification: UNNotification) { deliver(notification.request.content.userInfo) }

    /// The app delegate hears of notifications that were opened, and of nothing else that the user did.
    func deliverToAppDelegate(_ response: UNNotificationResponse) {
        guard response.actionIdentifier == UNNotificationDefaultActionIdentifier else { return }
        deliverToAppDelegate(response.notification)
    }

    func setCategories(_ categories: [NotificationCategory]) { phone.setNotificationCategories(categories) }

    private func deliver(_ userInfo: [AnyHashable: Any]) {
        delegate.application(application, didReceiveRemoteNotification: userInfo) { result in
            PhoneProcess.say(["event": "fetched", "result": .string("\(result)")])
        }
    }
}

/// Why APNs gave no device token.
struct RegistrationFailure: Error {
    var reason: String
}

/// A service extension on a virtual iPhone.
final class HostedExtension: HostedServiceExtension {
    private let service: UNNotificationServiceExtension

    init(_ service: UNNotificationServiceExtension) {
        self.service = service
    }

    func didReceive(
        _ content: PhoneNotificationContent, identifier: String,
        withContentHandler contentHandler: @escaping (PhoneNotificationContent) -> Void
    ) {
        let request = UNNotificationRequest(identifier: identifier, content: UNNotificationContent(source: content))
        service.didReceive(request) { contentHandler($0.source) }
    }

    func serviceExtensionTimeWillExpire() { service.serviceExtensionTimeWillExpire() }
}
