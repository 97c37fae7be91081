import FirebaseMessaging
import UserNotifications

/// A notification service extension: it adds the image that a message names, and reports that the message arrived.
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
        let helper = Messaging.serviceExtension()
        helper.exportDeliveryMetricsToBigQuery(withMessageInfo: content.userInfo)
        helper.populateNotificationContent(content, withContentHandler: contentHandler)
    }

    /// The system is about to end the extension: what there is must do.
    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
    }
}
