import JSON

/// By what deliveries are counted in reports.
public struct ReportDimensions: Sendable, Hashable {
    /// `nil` for registrations without an app id (the oldest clients).
    public var app: AppID?
    public var label: AnalyticsLabel?
    /// `nil` for messages of no campaign.
    public var campaign: Int64?
    /// Whether the message shows something to a person.
    public var isNotification: Bool

    public init(
        app: AppID? = nil, label: AnalyticsLabel? = nil, campaign: Int64? = nil, isNotification: Bool = false
    ) {
        self.app = app
        self.label = label
        self.campaign = campaign
        self.isNotification = isNotification
    }

    /// Those of one message to one registration.
    public init(_ message: Message, to recipient: Registration) {
        self.init(
            app: recipient.app, label: message.analyticsLabel(for: recipient.channel), campaign: message.campaignNumber,
            isNotification: message.isNotification)
    }
}

extension Message {
    /// The label that counts on a platform: the platform's own before the common one.
    public func analyticsLabel(for channel: Registration.Channel) -> AnalyticsLabel? {
        switch channel {
        case .apple: apns?.analyticsLabel ?? analyticsLabel
        case .device: android?.analyticsLabel ?? analyticsLabel
        case .web: webpush?.analyticsLabel ?? analyticsLabel
        }
    }

    /// A label that the message has on some platform.
    public var anyAnalyticsLabel: AnalyticsLabel? {
        analyticsLabel ?? apns?.analyticsLabel ?? android?.analyticsLabel ?? webpush?.analyticsLabel
    }

    /// The campaign that sent the message.
    public var campaignNumber: Int64? { campaign?.id }

    /// Whether the message shows something to a person.
    public var isNotification: Bool {
        if notification != nil || android?.notification != nil || webpush?.notification != nil { return true }
        return apns?.payload?["aps"]?.object?["alert"] != nil
    }
}
