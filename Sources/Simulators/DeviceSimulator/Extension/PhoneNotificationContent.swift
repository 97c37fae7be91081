public import FirebasePlatform
import JSON

/// `UNMutableNotificationContent` of a virtual iPhone: what the service extension may change.
public final class PhoneNotificationContent: MutableNotificationContent {
    public let userInfo: [AnyHashable: Any]
    public var title: String?
    public var body: String?
    public let category: String?
    public private(set) var attachments: [NotificationAttachment] = []
    /// `nil` for a notification that only is looked at.
    private let downloads: PhoneDownloads?

    public convenience init(_ notification: ShownNotification) { self.init(notification, downloads: nil) }

    init(_ notification: ShownNotification, downloads: PhoneDownloads?) {
        userInfo = notification.payload.userInfo
        title = notification.title
        body = notification.body
        category = notification.category
        attachments = notification.attachments
        self.downloads = downloads
    }

    /// `mutableCopy()`.
    public func copy() -> PhoneNotificationContent { PhoneNotificationContent(copying: self) }

    private init(copying other: PhoneNotificationContent) {
        userInfo = other.userInfo
        title = other.title
        body = other.body
        category = other.category
        attachments = other.attachments
        downloads = other.downloads
    }

    public func replaceAttachments(withFileAt path: String) throws {
        guard let bytes = downloads?.take(path) else { throw NotificationAttachment.Failure.missingFile }
        attachments = [try NotificationAttachment(path: path, bytes: bytes)]
    }
}
