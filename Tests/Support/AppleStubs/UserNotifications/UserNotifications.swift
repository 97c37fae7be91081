@_exported public import Foundation
@_exported public import UserNotifications

#if !os(tvOS)
    extension UNNotificationAttachment {
        public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
            fatalError()
        }
    }
#endif
