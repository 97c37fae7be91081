public import FirebasePlatform
public import JSON

/// An app's own code, in place of the sample app.
public struct AppCode: Sendable {
    /// Makes the app's object for a start of its process.
    public var makeApp: @Sendable (VirtualIPhone) -> any HostedApp
    /// Makes the service extension's object for one notification.
    public var makeServiceExtension: @Sendable () -> any HostedServiceExtension

    public init(
        makeApp: @escaping @Sendable (VirtualIPhone) -> any HostedApp,
        makeServiceExtension: @escaping @Sendable () -> any HostedServiceExtension
    ) {
        self.makeApp = makeApp
        self.makeServiceExtension = makeServiceExtension
    }
}

/// An app on a virtual iPhone, as the system calls it. Every method is called on main, inside the phone's container.
public protocol HostedApp: AnyObject, Sendable {
    /// - Parameter tapped: The payload of the notification whose tap starts the app.
    func didFinishLaunching(tapped payload: JSONObject?)
    func didBecomeActive()
    func didEnterBackground()
    func willTerminate()
    func didRegister(deviceToken: [UInt8])
    func didFailToRegister(reason: String)
    /// A notification came while the app is open.
    /// - Parameter answer: Told whether the system is to show it.
    func willPresent(_ notification: ShownNotification, answer: @escaping @Sendable (_ shows: Bool) -> Void)
    /// The user answered a notification.
    func didReceiveResponse(to notification: ShownNotification, action: NotificationAction)
    /// A push tells the app that there is content to fetch.
    func didReceiveRemoteNotification(_ payload: JSONObject)
    /// The SDK posted a notification within the process.
    func posted(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable])
}

/// What most apps need not know.
extension HostedApp {
    public func didBecomeActive() {}
    public func didEnterBackground() {}
    public func willTerminate() {}
    public func didRegister(deviceToken: [UInt8]) {}
    public func didFailToRegister(reason: String) {}
}

/// A notification service extension, as the system calls it. Every method is called on main.
public protocol HostedServiceExtension: AnyObject {
    /// - Parameters:
    ///   - identifier: The notification's.
    ///   - contentHandler: To be called once.
    func didReceive(
        _ content: PhoneNotificationContent, identifier: String,
        withContentHandler contentHandler: @escaping (PhoneNotificationContent) -> Void)
    /// Time is up: the best that there is must be handed over now.
    func serviceExtensionTimeWillExpire()
}
