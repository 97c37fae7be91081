public import PushModel

/// What a person composes.
public struct CampaignContent: Sendable, Equatable {
    public var name: String
    public var title: String?
    public var body: String?
    public var imageURL: String?
    public var options: CampaignOptions
    /// `nil` while nobody is named: in drafts.
    public var target: CampaignTarget?
    /// `nil` while no time is chosen: in drafts.
    public var schedule: Schedule?

    public init(
        name: String, title: String? = nil, body: String? = nil, imageURL: String? = nil,
        options: CampaignOptions = CampaignOptions(), target: CampaignTarget? = nil, schedule: Schedule? = nil
    ) {
        self.name = name
        self.title = title
        self.body = body
        self.imageURL = imageURL
        self.options = options
        self.target = target
        self.schedule = schedule
    }
}

/// How a campaign's message travels and what it brings along.
public struct CampaignOptions: Sendable, Equatable {
    public var data: [Message.DataEntry] = []
    public var sound: String?
    public var badge: Int64?
    /// The category on Apple systems, the activity on Android, the link on the web when it is one.
    public var clickAction: String?
    public var priority = MessagePriority.high
    /// Counted from the send.
    public var expiry = TimeToLive.longest
    public var analyticsLabel: AnalyticsLabel?
    public var conversionEvent: String?
    public var androidChannel: String?

    public init() {}
}

/// Whom a campaign is for.
public enum CampaignTarget: Sendable, Equatable {
    case topic(TopicName)
    case condition(TopicCondition)
    /// A registration token or a FID.
    case device(String)
    case segment(Segment)
}

/// Bounds of what is composed.
public enum CampaignLimits {
    public static let nameBytes = 400
    /// Source: the Firebase console's limit of 1,000 characters, counted in code points.
    public static let textCodePoints = 1_000
    public static let urlBytes = 2_048
    public static let dataEntries = 100
    public static let wordBytes = 200
    public static let badge: ClosedRange<Int64> = 0...99_999
    public static let dates = 366
    public static let everyDays: ClosedRange<Int64> = 1...366
    /// Devices of one test.
    public static let testTargets = 20
}
