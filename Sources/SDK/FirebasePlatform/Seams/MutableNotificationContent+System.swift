#if canImport(Darwin) && !os(tvOS)
    import Foundation
    public import UserNotifications

    extension UNMutableNotificationContent: MutableNotificationContent {
        public func replaceAttachments(withFileAt path: String) throws {
            attachments = [try UNNotificationAttachment(identifier: "", url: URL(fileURLWithPath: path), options: nil)]
        }
    }
#endif
