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

/// What the user did with a notification: the virtual iPhone knows taps.
public final class UNNotificationResponse {
    public let notification: UNNotification
    public let actionIdentifier = UNNotificationDefaultActionIdentifier

    package init(_ notification: UNNotification) {
        self.notification = notification
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
