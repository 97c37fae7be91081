/// What the user did with a notification. The raw value is the system's action identifier.
public enum NotificationAction: String, Sendable, Hashable {
    case open = "com.apple.UNNotificationDefaultActionIdentifier"
    case dismiss = "com.apple.UNNotificationDismissActionIdentifier"
}

/// A kind of notifications that an app has told the system of: `UNNotificationCategory`.
public struct NotificationCategory: Sendable, Hashable {
    /// What a payload names under `aps.category`.
    public var identifier: String
    /// Whether the app hears when the user puts a notification away: `.customDismissAction`.
    public var hasCustomDismissAction: Bool

    public init(identifier: String, hasCustomDismissAction: Bool) {
        self.identifier = identifier
        self.hasCustomDismissAction = hasCustomDismissAction
    }
}
