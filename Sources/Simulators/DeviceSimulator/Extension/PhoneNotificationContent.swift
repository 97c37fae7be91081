import FirebasePlatform
import JSON

/// `UNMutableNotificationContent` of a virtual iPhone: what the service extension may change.
final class PhoneNotificationContent: MutableNotificationContent {
    let userInfo: [AnyHashable: Any]
    var title: String?
    var body: String?
    private(set) var attachments: [NotificationAttachment] = []
    private let downloads: PhoneDownloads

    init(_ notification: ShownNotification, downloads: PhoneDownloads) {
        userInfo = notification.payload.userInfo
        title = notification.title
        body = notification.body
        attachments = notification.attachments
        self.downloads = downloads
    }

    func replaceAttachments(withFileAt path: String) throws {
        guard let bytes = downloads.take(path) else { throw NotificationAttachment.Failure.missingFile }
        attachments = [try NotificationAttachment(path: path, bytes: bytes)]
    }
}
