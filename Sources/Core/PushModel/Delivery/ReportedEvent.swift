public import Timekeeping

/// What an app says of one message: it arrived, the user opened it.
///
/// Source: `MessagingClientEvent` of the Firebase SDKs; the columns of the BigQuery export carry the same.
public struct ReportedEvent: Sendable, Hashable {
    /// The numbers of the wire.
    public enum Kind: Int64, Sendable, CaseIterable {
        case delivered = 1
        case opened = 2
        /// Of our own SDK: the app got the notification while it was in the foreground.
        case receivedInForeground = 101
        /// Of our own SDK: the user put the notification away.
        case dismissed = 102

        /// As the export writes it, and in its style.
        public var name: String {
            switch self {
            case .delivered: "MESSAGE_DELIVERED"
            case .opened: "MESSAGE_OPENED"
            case .receivedInForeground: "MESSAGE_RECEIVED_IN_FOREGROUND"
            case .dismissed: "MESSAGE_DISMISSED"
            }
        }
    }

    public enum MessageType: Int64, Sendable {
        case unknown = 0
        case data = 1
        case topic = 2
        case display = 3
    }

    public enum Platform: Int64, Sendable {
        case unknown = 0
        case android = 1
        case iOS = 2
        case web = 3
    }

    public var kind: Kind
    public var project: ProjectNumber
    /// The id that the message carried to the device.
    public var messageID: String
    /// The FID of the app instance.
    public var instanceID: String
    public var messageType: MessageType
    public var platform: Platform
    /// Bundle id or package.
    public var appName: String
    public var topic: String?
    public var analyticsLabel: String?
    public var campaignID: Int64?
    public var composerLabel: String?
    /// By the device's clock.
    public var occurredAt: Timestamp

    public init(
        _ kind: Kind, project: ProjectNumber, messageID: String, instanceID: String,
        messageType: MessageType = .unknown, platform: Platform = .unknown, appName: String = "",
        topic: String? = nil, analyticsLabel: String? = nil, campaignID: Int64? = nil, composerLabel: String? = nil,
        occurredAt: Timestamp
    ) {
        self.kind = kind
        self.project = project
        self.messageID = messageID
        self.instanceID = instanceID
        self.messageType = messageType
        self.platform = platform
        self.appName = appName
        self.topic = topic
        self.analyticsLabel = analyticsLabel
        self.campaignID = campaignID
        self.composerLabel = composerLabel
        self.occurredAt = occurredAt
    }
}

/// A reported event as the store keeps it.
public struct StoredReport: Sendable, Hashable {
    /// Grows with reception.
    public var id: Int64
    public var event: ReportedEvent
    public var receivedAt: Timestamp

    public init(id: Int64, event: ReportedEvent, receivedAt: Timestamp) {
        self.id = id
        self.event = event
        self.receivedAt = receivedAt
    }
}
