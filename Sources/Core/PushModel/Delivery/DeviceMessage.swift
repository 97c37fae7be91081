public import Timekeeping

/// A message translated for the device channel: what a data message stanza says, but for the numbers of the connection.
public struct DeviceMessage: Sendable, Equatable {
    /// The server's id of the delivery; the device acknowledges it. Empty for a message that is sent now or never.
    public var persistentID: String
    /// A sender id, `/topics/<name>`, or an application server key.
    public var from: String
    /// The app: a package, a bundle id, or the name of a browser.
    public var category: String
    public var collapseKey: String?
    /// Keys and values for the app and its SDK.
    public var data: [Message.DataEntry]
    public var rawData: [UInt8]?
    public var timeToLiveSeconds: Int64
    /// When the service accepted the message.
    public var sentAt: Timestamp
    public var isUrgent: Bool
    /// Whether the device is to acknowledge it at once: somebody waits for the receipt, or APNs stands by.
    public var wantsPromptAcknowledgement: Bool

    public init(
        persistentID: String, from: String, category: String, collapseKey: String? = nil,
        data: [Message.DataEntry] = [], rawData: [UInt8]? = nil, timeToLiveSeconds: Int64, sentAt: Timestamp,
        isUrgent: Bool = false, wantsPromptAcknowledgement: Bool = false
    ) {
        self.persistentID = persistentID
        self.from = from
        self.category = category
        self.collapseKey = collapseKey
        self.data = data
        self.rawData = rawData
        self.timeToLiveSeconds = timeToLiveSeconds
        self.sentAt = sentAt
        self.isUrgent = isUrgent
        self.wantsPromptAcknowledgement = wantsPromptAcknowledgement
    }
}
