import DeviceSimulator
import FirebasePlatform
@_exported public import PhoneFoundation
@_exported public import UserNotifications

public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData, noData, failed
}

open class UIResponder {
    public required init() {}
}

public final class UIWindow: UIResponder {}

/// The app's process.
///
/// `@unchecked Sendable` holds because app and system use it on the phone's main thread.
public final class UIApplication: UIResponder, @unchecked Sendable {
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    }

    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public enum State: Int, Sendable { case active, inactive, background }

    /// There is one phone in a process, and one app on it.
    public nonisolated(unsafe) static var shared = UIApplication()

    public weak var delegate: (any UIApplicationDelegate)?
    weak var phone: VirtualIPhone?

    public var applicationState: State {
        phone.map { $0.isForeground ? .active : .background } ?? .background
    }

    public func registerForRemoteNotifications() {
        Task { [phone] in try? await phone?.registerForRemoteNotifications() }
    }

    /// How apps asked the user before iOS 10.
    public func registerUserNotificationSettings(_ settings: UIUserNotificationSettings) {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
    }
}

public struct UIUserNotificationType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1 << 0)
    public static let sound = Self(rawValue: 1 << 1)
    public static let alert = Self(rawValue: 1 << 2)
}

public final class UIUserNotificationSettings {
    public let types: UIUserNotificationType

    public init(types: UIUserNotificationType, categories: Set<AnyHashable>?) {
        self.types = types
    }
}
