public import JSON

/// A notification that the user sees.
public struct ShownNotification: Sendable, Equatable {
    /// The `apns-collapse-id`, else the `apns-id`: a newer one with the same identifier replaces it.
    public var identifier: String
    public var bundleID: String
    public var title: String?
    public var subtitle: String?
    public var body: String?
    public var category: String?
    public var threadID: String?
    public var sound: String?
    /// What the service extension attached.
    public var attachments: [NotificationAttachment] = []
    /// The whole payload, as the app gets it.
    public var payload: JSONObject
}

/// The notification centre of a phone and the badges of its apps.
struct NotificationTray: Sendable {
    private(set) var notifications: [ShownNotification] = []
    private(set) var badges: [String: Int] = [:]

    /// Shows a notification on top; one with the same identifier of the same app goes.
    mutating func show(_ notification: ShownNotification) {
        notifications.removeAll {
            $0.identifier == notification.identifier && $0.bundleID == notification.bundleID
        }
        notifications.append(notification)
    }

    /// Sets the badge. 0 removes it, and with it the app's notifications, as iOS does.
    mutating func setBadge(_ number: Int, of bundleID: String) {
        badges[bundleID] = number == 0 ? nil : number
        if number == 0 { notifications.removeAll { $0.bundleID == bundleID } }
    }

    /// Takes a tapped notification out: the newest when none is named.
    mutating func take(_ identifier: String?) -> ShownNotification? {
        let index =
            identifier.map { wanted in notifications.lastIndex { $0.matches(wanted) } } ?? notifications.indices.last
        return index.map { notifications.remove(at: $0) }
    }

    mutating func removeAll(of bundleID: String) {
        notifications.removeAll { $0.bundleID == bundleID }
        badges[bundleID] = nil
    }
}

extension ShownNotification {
    /// A person names a notification by its identifier or by its message id.
    fileprivate func matches(_ wanted: String) -> Bool {
        identifier == wanted || messageID == wanted
    }
}
