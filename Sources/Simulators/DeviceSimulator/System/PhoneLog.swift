import FirebasePlatform
import Synchronization

/// What the SDK logged on a phone: the newest lines, for a person who looks for a reason.
final class PhoneLog: LogSink {
    private static let capacity = 200

    private let lines = Mutex<[String]>([])

    func log(_ level: LogLevel, code: String, message: String) {
        guard level <= .notice else { return }
        lines.withLock { lines in
            if lines.count == Self.capacity { lines.removeFirst() }
            lines.append("\(code) \(message)")
        }
    }

    var latest: [String] { lines.withLock { $0 } }
}

/// Notifications within the app's process: the sample app listens to its delegate only.
struct QuietNotifications: NotificationPoster {
    func post(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable]) {}
}
