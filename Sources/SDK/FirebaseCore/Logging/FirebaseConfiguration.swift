import FirebasePlatform
import Synchronization

/// How much the SDK logs.
public enum FirebaseLoggerLevel: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    public static let min = FirebaseLoggerLevel.error
    public static let max = FirebaseLoggerLevel.debug

    var level: LogLevel {
        switch self {
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}

/// Settings of the SDK as a whole.
public final class FirebaseConfiguration: Sendable {
    public static let shared = FirebaseConfiguration()

    private init() {}

    /// From now on lines less important than this are dropped. Default: notice.
    public func setLoggerLevel(_ level: FirebaseLoggerLevel) {
        FirebaseContainer.current?.state.withLock { $0.minimumLevel = level.level }
    }
}
