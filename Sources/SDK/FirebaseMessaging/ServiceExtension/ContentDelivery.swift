import FirebasePlatform
import Synchronization

/// The content of a notification on its way to the system's handler, which is called once.
///
/// `@unchecked Sendable` holds because the content and the handler are touched by one thread at a time: by the caller
/// before `populateNotificationContent` returns, or afterwards on the main executor only.
final class ContentDelivery<Content: MutableNotificationContent>: @unchecked Sendable {
    private let content: Content
    private let handler: (Content) -> Void
    private let isDelivered = Mutex(false)

    init(_ content: Content, _ handler: @escaping (Content) -> Void) {
        self.content = content
        self.handler = handler
    }

    func attach(_ path: String) throws {
        try content.replaceAttachments(withFileAt: path)
    }

    func deliver() {
        let isFirst = isDelivered.withLock { isDelivered in
            defer { isDelivered = true }
            return !isDelivered
        }
        if isFirst { handler(content) }
    }
}
