/// A wall-clock time in the device's own zone.
public struct LocalTime: Sendable, Hashable {
    public var year, month, day, hour, minute, second: Int

    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }
}

/// A notification that the SDK asks the system to show later.
public struct LocalNotification: Sendable, Hashable {
    public var identifier: String
    public var title: String?
    public var body: String?
    public var badge: Int?
    public var sound: String?
    public var category: String?
    public var userInfo: [String: PayloadValue]
    public var at: LocalTime

    public init(
        identifier: String, title: String? = nil, body: String? = nil, badge: Int? = nil, sound: String? = nil,
        category: String? = nil, userInfo: [String: PayloadValue] = [:], at: LocalTime
    ) {
        self.identifier = identifier
        self.title = title
        self.body = body
        self.badge = badge
        self.sound = sound
        self.category = category
        self.userInfo = userInfo
        self.at = at
    }
}

/// The part of the user notification centre that the SDK needs.
public protocol LocalNotificationScheduler: Sendable {
    /// Shows the notification once, at its local time. A second one with the same identifier replaces the first.
    func schedule(_ notification: LocalNotification)
}
