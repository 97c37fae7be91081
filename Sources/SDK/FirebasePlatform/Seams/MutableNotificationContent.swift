/// The content of a notification while a service extension may change it: on Apple `UNMutableNotificationContent`.
public protocol MutableNotificationContent: AnyObject {
    /// The whole payload.
    var userInfo: [AnyHashable: Any] { get }
    /// Shows this file with the notification, instead of all attachments that were there.
    ///
    /// - Throws: What the system says of the file: no attachment has its type, it is too large, it is broken.
    func replaceAttachments(withFileAt path: String) throws
}
