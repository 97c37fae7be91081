#if canImport(ObjectiveC)
    public import Foundation

    #if !os(tvOS)
        public import UserNotifications
    #endif

    /// `MessagingExtensionHelper` for Objective-C.
    @objc(FIRMessagingExtensionHelper)
    public final class ObjCMessagingExtensionHelper: NSObject, Sendable {
        private let helper = MessagingExtensionHelper()

        #if !os(tvOS)
            @objc(populateNotificationContent:withContentHandler:)
            public func populateNotificationContent(
                _ content: UNMutableNotificationContent,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                helper.populateNotificationContent(content, withContentHandler: contentHandler)
            }
        #endif

        @objc(exportDeliveryMetricsToBigQueryWithMessageInfo:)
        public func exportDeliveryMetricsToBigQuery(withMessageInfo info: [AnyHashable: Any]) {
            helper.exportDeliveryMetricsToBigQuery(withMessageInfo: info)
        }
    }

    extension ObjCMessaging {
        @objc
        public static func extensionHelper() -> ObjCMessagingExtensionHelper { ObjCMessagingExtensionHelper() }
    }
#endif
