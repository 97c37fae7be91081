import FirebaseMessaging
import UserNotifications

/// The gallery's service extension: it marks each notification and adds its picture.
final class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        self.contentHandler = contentHandler
        bestAttempt = content
        content.title += " ♦"
        Messaging.serviceExtension().populateNotificationContent(content, withContentHandler: contentHandler)
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
    }
}

#if os(Linux)
    // On a phone the extension is a target of its own, and its Info.plist names the class.
    extension AppDelegate {
        static var serviceExtension: UNNotificationServiceExtension.Type? { NotificationService.self }
    }
#endif
