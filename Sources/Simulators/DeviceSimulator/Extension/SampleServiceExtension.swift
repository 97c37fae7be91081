import FirebaseMessaging

/// The app's `UNNotificationServiceExtension`: what a developer writes after the guide.
final class SampleServiceExtension: HostedServiceExtension {
    private let reportsDeliveries: Bool
    private var contentHandler: ((PhoneNotificationContent) -> Void)?
    private var bestAttempt: PhoneNotificationContent?

    init(reportsDeliveries: Bool) {
        self.reportsDeliveries = reportsDeliveries
    }

    /// `didReceive(_:withContentHandler:)`.
    func didReceive(
        _ content: PhoneNotificationContent, identifier: String,
        withContentHandler contentHandler: @escaping (PhoneNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttempt = content
        let helper = Messaging.serviceExtension()
        if reportsDeliveries { helper.exportDeliveryMetricsToBigQuery(withMessageInfo: content.userInfo) }
        helper.populateNotificationContent(content, withContentHandler: contentHandler)
    }

    func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
    }
}
