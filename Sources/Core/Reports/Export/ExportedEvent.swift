public import PushModel
public import Timekeeping

/// Which events.
public struct ExportQuery: Sendable, Equatable {
    public var project: ProjectNumber
    public var from: Timestamp
    /// Not included.
    public var to: Timestamp

    public init(project: ProjectNumber, from: Timestamp, to: Timestamp) {
        self.project = project
        self.from = from
        self.to = to
    }
}

/// Where an export goes on: first come deliveries, then what apps reported.
public enum ExportPlace: Sendable, Equatable {
    case deliveries(after: Int64)
    case reports(after: Int64)
}

public struct ExportPage: Sendable, Equatable {
    public var events: [ExportedEvent]
    /// `nil` at the end.
    public var next: ExportPlace?

    public init(events: [ExportedEvent], next: ExportPlace?) {
        self.events = events
        self.next = next
    }
}

/// A row of Google's BigQuery export. Source: Firebase, "Understanding message delivery", table `firebase_messaging.data`.
public struct ExportedEvent: Sendable, Equatable {
    public var time: Timestamp
    public var project: ProjectNumber
    public var messageID: String
    /// The FID.
    public var instanceID: String
    /// `DISPLAY_NOTIFICATION` or `DATA_MESSAGE`.
    public var messageType: String
    /// `ANDROID`, `IOS` or `WEB`.
    public var platform: String
    public var appName: String
    public var collapseKey: String
    /// 5 or 10; `nil` when unknown.
    public var priority: Int?
    /// Seconds; `nil` when unknown.
    public var timeToLive: Int64?
    public var topic: String
    /// The same for all rows of one message to a topic.
    public var bulkID: Int64?
    public var event: String
    public var label: String

    public init(
        time: Timestamp, project: ProjectNumber, messageID: String, instanceID: String, messageType: String,
        platform: String, appName: String, collapseKey: String = "", priority: Int? = nil, timeToLive: Int64? = nil,
        topic: String = "", bulkID: Int64? = nil, event: String, label: String = ""
    ) {
        self.time = time
        self.project = project
        self.messageID = messageID
        self.instanceID = instanceID
        self.messageType = messageType
        self.platform = platform
        self.appName = appName
        self.collapseKey = collapseKey
        self.priority = priority
        self.timeToLive = timeToLive
        self.topic = topic
        self.bulkID = bulkID
        self.event = event
        self.label = label
    }
}
