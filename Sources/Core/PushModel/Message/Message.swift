public import JSON

/// What a sender wants to arrive, whatever the dialect in which it was asked for. Platform parts stay apart, because a
/// platform's part overrides the common one only when the message is translated for that platform.
///
/// Source: FCM HTTP v1, `Message`.
public struct Message: Sendable, Equatable {
    /// One entry of `data`, in the order sent.
    public struct DataEntry: Sendable, Equatable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The common notification. A member that is absent or `null` on the wire is `nil`.
    public struct Notification: Sendable, Equatable {
        public var title: String?
        public var body: String?
        public var image: String?

        public init(title: String? = nil, body: String? = nil, image: String? = nil) {
            self.title = title
            self.body = body
            self.image = image
        }
    }

    public var data: [DataEntry]
    public var notification: Notification?
    public var apns: APNsOptions?
    public var android: AndroidOptions?
    public var webpush: WebPushOptions?
    /// `fcm_options.analytics_label`.
    public var analyticsLabel: AnalyticsLabel?
    /// The campaign that the message belongs to.
    public var campaign: CampaignMark?
    /// The sender wants to hear when the device has the message.
    public var receiptRequest: ReceiptRequest?
    /// Content that only the browser can read; nothing else is set then.
    public var encrypted: EncryptedContent?
    /// Who sent it; `nil` when nobody noted it.
    public var origin: MessageOrigin?

    public init(
        data: [DataEntry] = [], notification: Notification? = nil, apns: APNsOptions? = nil,
        android: AndroidOptions? = nil, webpush: WebPushOptions? = nil, analyticsLabel: AnalyticsLabel? = nil,
        campaign: CampaignMark? = nil, receiptRequest: ReceiptRequest? = nil, encrypted: EncryptedContent? = nil,
        origin: MessageOrigin? = nil
    ) {
        self.data = data
        self.notification = notification
        self.apns = apns
        self.android = android
        self.webpush = webpush
        self.analyticsLabel = analyticsLabel
        self.campaign = campaign
        self.receiptRequest = receiptRequest
        self.encrypted = encrypted
        self.origin = origin
    }
}

/// The Apple part of a message. Source: FCM HTTP v1, `ApnsConfig`.
public struct APNsOptions: Sendable, Equatable {
    /// APNs request headers, names in lower case, in the order sent.
    public var headers: [Message.DataEntry]
    /// The sender's payload: `aps` and custom keys, kept as sent.
    public var payload: JSONObject?
    public var image: String?
    public var analyticsLabel: AnalyticsLabel?
    /// The token of a live activity; then the push goes there and the target only names the app instance.
    public var liveActivityToken: String?

    public init(
        headers: [Message.DataEntry] = [], payload: JSONObject? = nil, image: String? = nil,
        analyticsLabel: AnalyticsLabel? = nil, liveActivityToken: String? = nil
    ) {
        self.headers = headers
        self.payload = payload
        self.image = image
        self.analyticsLabel = analyticsLabel
        self.liveActivityToken = liveActivityToken
    }
}

/// How urgent a message is. Source: FCM, message priority (`normal` is APNs 5, `high` is APNs 10).
public enum MessagePriority: String, Sendable, Equatable {
    case normal, high
}

/// The part for Android and for the direct channel. Source: FCM HTTP v1, `AndroidConfig`.
public struct AndroidOptions: Sendable, Equatable {
    public var collapseKey: String?
    public var priority: MessagePriority?
    public var timeToLive: TimeToLive?
    public var restrictedPackageName: String?
    /// Replaces the common `data` when present.
    public var data: [Message.DataEntry]?
    /// `AndroidNotification`, validated, with its member names in snake case.
    public var notification: JSONObject?
    public var analyticsLabel: AnalyticsLabel?
    public var directBootOK: Bool

    public init(
        collapseKey: String? = nil, priority: MessagePriority? = nil, timeToLive: TimeToLive? = nil,
        restrictedPackageName: String? = nil, data: [Message.DataEntry]? = nil, notification: JSONObject? = nil,
        analyticsLabel: AnalyticsLabel? = nil, directBootOK: Bool = false
    ) {
        self.collapseKey = collapseKey
        self.priority = priority
        self.timeToLive = timeToLive
        self.restrictedPackageName = restrictedPackageName
        self.data = data
        self.notification = notification
        self.analyticsLabel = analyticsLabel
        self.directBootOK = directBootOK
    }
}

/// The part for browsers. Source: FCM HTTP v1, `WebpushConfig`.
public struct WebPushOptions: Sendable, Equatable {
    public var headers: [Message.DataEntry]
    /// Replaces the common `data` when present.
    public var data: [Message.DataEntry]?
    /// Any Web Notification properties, kept as sent.
    public var notification: JSONObject?
    public var link: String?
    public var analyticsLabel: AnalyticsLabel?

    public init(
        headers: [Message.DataEntry] = [], data: [Message.DataEntry]? = nil, notification: JSONObject? = nil,
        link: String? = nil, analyticsLabel: AnalyticsLabel? = nil
    ) {
        self.headers = headers
        self.data = data
        self.notification = notification
        self.link = link
        self.analyticsLabel = analyticsLabel
    }
}
