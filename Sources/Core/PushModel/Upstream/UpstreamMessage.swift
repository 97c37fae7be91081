public import Timekeeping

/// The store's row number of an upstream message. Grows with acceptance.
public struct UpstreamID: Hashable, Comparable, Sendable {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// What an app server gets from the service: a message of an app, or the receipt of a message of its own.
///
/// Source: FCM XMPP protocol, upstream messages and delivery receipts.
public struct UpstreamDraft: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case message
        case receipt
    }

    public var project: ProjectNumber
    public var kind: Kind
    /// The registration token or FID of the app instance; `gcm.googleapis.com` for a receipt.
    public var from: String
    /// The app: package or bundle id.
    public var category: String
    /// The id by which the app server acknowledges: the app's own, or that of the receipt.
    public var messageID: String
    public var data: [Message.DataEntry]
    public var rawData: [UInt8]?
    /// The app's time to live in seconds; 0 for a receipt.
    public var timeToLiveSeconds: Int64
    /// When it is given up.
    public var expiresAt: Timestamp

    public init(
        project: ProjectNumber, kind: Kind, from: String, category: String, messageID: String,
        data: [Message.DataEntry] = [], rawData: [UInt8]? = nil, timeToLiveSeconds: Int64, expiresAt: Timestamp
    ) {
        self.project = project
        self.kind = kind
        self.from = from
        self.category = category
        self.messageID = messageID
        self.data = data
        self.rawData = rawData
        self.timeToLiveSeconds = timeToLiveSeconds
        self.expiresAt = expiresAt
    }
}

/// An upstream message that is in the store, until an app server acknowledges it or it expires.
public struct UpstreamMessage: Sendable, Equatable {
    public var id: UpstreamID
    public var content: UpstreamDraft
    /// The project's newest open message when this one was stored. `nil` when there was none, and in what is read from
    /// the store.
    public var previous: UpstreamID?

    public init(id: UpstreamID, content: UpstreamDraft, previous: UpstreamID? = nil) {
        self.id = id
        self.content = content
        self.previous = previous
    }
}

/// Where an upstream message comes from: a repeated one is recognised by it.
public struct UpstreamOrigin: Sendable, Hashable {
    /// The device's check-in id.
    public var device: UInt64
    public var category: String
    /// The device's own id of the message in its queue (`persistent_id`).
    public var queueID: String

    public init(device: UInt64, category: String, queueID: String) {
        self.device = device
        self.category = category
        self.queueID = queueID
    }
}
