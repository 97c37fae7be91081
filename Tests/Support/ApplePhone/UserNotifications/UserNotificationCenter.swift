package import DeviceSimulator
import Synchronization

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1 << 0)
    public static let sound = Self(rawValue: 1 << 1)
    public static let alert = Self(rawValue: 1 << 2)
    public static let provisional = Self(rawValue: 1 << 6)
}

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1 << 0)
    public static let sound = Self(rawValue: 1 << 1)
    public static let alert = Self(rawValue: 1 << 2)
    public static let list = Self(rawValue: 1 << 3)
    public static let banner = Self(rawValue: 1 << 4)

    /// Whether the user sees anything.
    package var shows: Bool { !isDisjoint(with: [.alert, .list, .banner]) }
}

/// Both methods are optional: what an app leaves out goes to its app delegate.
public protocol UNUserNotificationCenterDelegate: AnyObject {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)
}

extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        center.system?.deliverToAppDelegate(notification)
        completionHandler([])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        center.system?.deliverToAppDelegate(response)
        completionHandler()
    }
}

/// What the centre asks of the system.
package protocol NotificationSystem: AnyObject {
    /// Asks the user.
    func requestAuthorization() -> Bool
    func deliverToAppDelegate(_ notification: UNNotification)
    func deliverToAppDelegate(_ response: UNNotificationResponse)
    func setCategories(_ categories: [NotificationCategory])
}

/// The notification centre of the process.
///
/// `@unchecked Sendable` holds because app and system use it on the phone's main thread.
public final class UNUserNotificationCenter: @unchecked Sendable {
    private static let shared = UNUserNotificationCenter()

    public weak var delegate: (any UNUserNotificationCenterDelegate)?
    package weak var system: (any NotificationSystem)?

    public static func current() -> UNUserNotificationCenter { shared }

    public func requestAuthorization(
        options: UNAuthorizationOptions, completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        completionHandler(system?.requestAuthorization() ?? false, nil)
    }

    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        system?.setCategories(categories.map(\.source))
    }
}

/// The object of a service extension.
open class UNNotificationServiceExtension {
    public required init() {}

    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    open func serviceExtensionTimeWillExpire() {}
}
