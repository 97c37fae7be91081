import Synchronization

/// Keeps what was reported to it, oldest first.
public final class Record<Entry: Sendable>: Sendable {
    private let list = Mutex<[Entry]>([])
    private let observers = Observers<Entry>()

    public init() {}

    public var entries: [Entry] { list.withLock { $0 } }
    public func observe(_ handler: @escaping @Sendable (Entry) -> Void) -> Observation { observers.add(handler) }

    public func append(_ entry: Entry) {
        list.withLock { $0.append(entry) }
        observers.notify(entry)
    }
}

/// A notification centre of one device: records what is posted and tells observers.
public final class RecordingNotifications: NotificationPoster {
    public struct Entry: Sendable {
        public var name: NotificationName
        public var object: (any Sendable)?
        public var userInfo: [String: any Sendable]
    }

    public let record = Record<Entry>()

    public init() {}

    public func post(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable]) {
        record.append(Entry(name: name, object: object, userInfo: userInfo))
    }
}

public final class RecordingScheduler: LocalNotificationScheduler {
    public let record = Record<LocalNotification>()
    public init() {}
    public func schedule(_ notification: LocalNotification) { record.append(notification) }
}

public final class RecordingLinks: LinkOpener {
    public let record = Record<String>()
    public init() {}
    public func open(url: String) { record.append(url) }
}

public final class RecordingLog: LogSink {
    public struct Entry: Sendable, Hashable {
        public var level: LogLevel
        public var code: String
        public var message: String
    }

    public let record = Record<Entry>()
    public init() {}

    public func log(_ level: LogLevel, code: String, message: String) {
        record.append(Entry(level: level, code: code, message: message))
    }
}

public final class RecordingAnalytics: AnalyticsSink {
    public enum Entry: Sendable, Hashable {
        case event(origin: String, name: String, parameters: [String: PayloadValue])
        case userProperty(origin: String, name: String, value: String)
    }

    public let record = Record<Entry>()
    public init() {}

    public func logEvent(origin: String, name: String, parameters: [String: PayloadValue]) {
        record.append(.event(origin: origin, name: name, parameters: parameters))
    }

    public func setUserProperty(origin: String, name: String, value: String) {
        record.append(.userProperty(origin: origin, name: name, value: value))
    }
}
