public import PushCore
public import PushModel

/// What was counted of messages. A day is that on which a message was accepted, whenever the rest happened.
public protocol ReportStore: Sendable {
    /// The counts that the query names, by its grouping, in the order of their keys.
    func report(_ query: ReportQuery) throws(StoreError) -> [ReportRow]

    /// The newest rows of Google's delivery data: Android apps, by Pacific days.
    func deliveryData(_ query: DeliveryDataQuery) throws(StoreError) -> [DeliveryDataRow]

    /// What happened to deliveries and what apps reported, in order, for an export.
    func exportedEvents(_ query: ExportQuery, after place: ExportPlace?, limit: Int) throws(StoreError) -> ExportPage
}

/// Which counts, and by what they are grouped. `nil` matches all.
public struct ReportQuery: Sendable, Equatable {
    public enum Grouping: String, Sendable, CaseIterable {
        case day, campaign, label, app
    }

    public var project: ProjectNumber
    /// Whole days since 1970, UTC.
    public var days: ClosedRange<Int64>
    public var grouping: Grouping
    public var campaign: Int64?
    public var label: String?
    public var app: String?

    public init(
        project: ProjectNumber, days: ClosedRange<Int64> = 0...Int64(Int32.max), grouping: Grouping = .day,
        campaign: Int64? = nil, label: String? = nil, app: String? = nil
    ) {
        self.project = project
        self.days = days
        self.grouping = grouping
        self.campaign = campaign
        self.label = label
        self.app = app
    }
}

/// What was counted: the funnel from top to bottom, and the failures.
public struct ReportCounts: Sendable, Equatable {
    /// Recipients for whom there was a delivery.
    public var targeted = 0
    /// Deliveries on which a platform's service or the device itself gave its last word.
    public var sent = 0
    /// Deliveries that APNs, a push service or the device took.
    public var accepted = 0
    /// Devices that have the message: their extension, their app or their connection said so.
    public var received = 0
    /// Notifications that the system showed.
    public var displayed = 0
    public var opened = 0
    public var dismissed = 0
    /// Deliveries that ended without a device, by reason: a `FailureReason`'s code.
    public var failures: [String: Int] = [:]

    public init() {}

    public var failed: Int { failures.values.reduce(0, +) }

    public static func += (left: inout ReportCounts, right: ReportCounts) {
        left.targeted += right.targeted
        left.sent += right.sent
        left.accepted += right.accepted
        left.received += right.received
        left.displayed += right.displayed
        left.opened += right.opened
        left.dismissed += right.dismissed
        left.failures.merge(right.failures, uniquingKeysWith: +)
    }
}

public struct ReportRow: Sendable, Equatable {
    /// A date (`2026-12-01`), a campaign's number, a label or an app id; empty for messages without one.
    public var key: String
    public var counts: ReportCounts

    public init(key: String, counts: ReportCounts) {
        self.key = key
        self.counts = counts
    }
}

/// Which delivery data, and where to go on.
public struct DeliveryDataQuery: Sendable, Equatable {
    public var project: ProjectNumber
    public var app: String
    /// Days since 1970 by Pacific time.
    public var days: ClosedRange<Int64>
    /// The last row of the page before.
    public var after: (day: Int64, label: String)?
    public var limit: Int

    public init(
        project: ProjectNumber, app: String, days: ClosedRange<Int64>, after: (day: Int64, label: String)? = nil,
        limit: Int
    ) {
        self.project = project
        self.app = app
        self.days = days
        self.after = after
        self.limit = limit
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.project == right.project && left.app == right.app && left.days == right.days && left.limit == right.limit
            && left.after?.day == right.after?.day && left.after?.label == right.after?.label
    }
}

/// One day and label of an Android app.
public struct DeliveryDataRow: Sendable, Equatable {
    public var day: Int64
    public var label: String
    public var messages = 0
    public var notifications = 0
    public var delivered = 0
    /// Of those delivered: more than a minute after they were sent.
    public var delayed = 0
    public var collapsed = 0
    public var droppedTooManyPending = 0
    public var droppedDeviceInactive = 0
    public var expired = 0
    /// Ended otherwise.
    public var failed = 0

    public init(day: Int64, label: String) {
        self.day = day
        self.label = label
    }

    public var pending: Int {
        max(0, messages - delivered - collapsed - droppedTooManyPending - droppedDeviceInactive - expired - failed)
    }
}
