package import DeviceSimulator
public import FirebasePlatform
@_exported public import PhoneFoundation

/// What a notification says.
open class UNNotificationContent {
    package let source: PhoneNotificationContent

    package init(source: PhoneNotificationContent) {
        self.source = source
    }

    public var title: String { source.title ?? "" }
    public var body: String { source.body ?? "" }
    public var categoryIdentifier: String { source.category ?? "" }
    public var userInfo: [AnyHashable: Any] { source.userInfo }

    public func mutableCopy() -> Any { UNMutableNotificationContent(source: source.copy()) }
}

/// What a service extension may change.
public final class UNMutableNotificationContent: UNNotificationContent, MutableNotificationContent {
    override public var title: String {
        get { source.title ?? "" }
        set { source.title = newValue }
    }

    override public var body: String {
        get { source.body ?? "" }
        set { source.body = newValue }
    }

    public func replaceAttachments(withFileAt path: String) throws {
        try source.replaceAttachments(withFileAt: path)
    }
}

public final class UNNotificationRequest {
    public let identifier: String
    public let content: UNNotificationContent

    package init(identifier: String, content: UNNotificationContent) {
        self.identifier = identifier
        self.content = content
    }
}

public final class UNNotification {
    public let request: UNNotificationRequest

    package init(_ notification: ShownNotification) {
        request = UNNotificationRequest(
            identifier: notification.identifier,
            content: UNNotificationContent(source: PhoneNotificationContent(notification)))
    }
}

/// What the user did with a notification: the virtual iPhone knows taps, and notifications that are put away.
public final class UNNotificationResponse {
    public let notification: UNNotification
    public let actionIdentifier: String

    package init(_ notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// A button under a notification. The virtual iPhone shows none.
public final class UNNotificationAction {}

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let customDismissAction = Self(rawValue: 1 << 0)
}

/// A kind of notifications.
public final class UNNotificationCategory: Hashable {
    public let identifier: String
    public let options: UNNotificationCategoryOptions

    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.options = options
    }

    package var source: NotificationCategory {
        NotificationCategory(identifier: identifier, hasCustomDismissAction: options.contains(.customDismissAction))
    }

    public static func == (left: UNNotificationCategory, right: UNNotificationCategory) -> Bool {
        left.identifier == right.identifier
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
