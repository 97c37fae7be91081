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

/// The notification centre within the app's process.
struct AppNotifications: NotificationPoster {
    let observer: @Sendable (NotificationName, _ object: (any Sendable)?, _ userInfo: [String: any Sendable]) -> Void

    func post(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable]) {
        observer(name, object, userInfo)
    }
}
