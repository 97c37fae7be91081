import Timekeeping

/// A day of the calendar, wherever it is.
public struct LocalDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The years in which campaigns may be sent.
    public static let allowedYears = 1970...2999

    public let daysSince1970: Int64

    public init(daysSince1970: Int64) {
        self.daysSince1970 = daysSince1970
    }

    /// Reads `2026-12-01`; `nil` for a day that there is not.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, let midnight = Timestamp(rfc3339: text + "T00:00:00Z"),
            Self.allowedYears.contains(CalendarTime(midnight).year)
        else { return nil }
        daysSince1970 = midnight.seconds / 86_400
    }

    public var description: String { String(Timestamp(seconds: daysSince1970 * 86_400).rfc3339.prefix(10)) }

    public func adding(days: Int64) -> LocalDate { LocalDate(daysSince1970: daysSince1970 + days) }

    /// 0 is Sunday.
    public var weekday: Int { Int(((daysSince1970 + 4) % 7 + 7) % 7) }

    public static func < (left: Self, right: Self) -> Bool { left.daysSince1970 < right.daysSince1970 }
}

/// A time of day, to the second.
public struct LocalTime: Hashable, Sendable, CustomStringConvertible {
    public let secondsOfDay: Int64

    /// Reads `09:00` or `09:00:30`.
    public init?(_ text: some StringProtocol) {
        let whole = text.utf8.count == 5 ? text + ":00" : String(text)
        guard whole.utf8.count == 8, !whole.hasSuffix("60"), let time = Timestamp(rfc3339: "1970-01-01T\(whole)Z")
        else { return nil }
        secondsOfDay = time.seconds
    }

    init(secondsOfDay: Int64) {
        self.secondsOfDay = secondsOfDay
    }

    public var description: String {
        let text = Timestamp(seconds: secondsOfDay).rfc3339.dropFirst(11).prefix(8)
        return String(text.hasSuffix(":00") ? text.prefix(5) : text)
    }
}

/// A day and a time of day, in a time zone that something else names.
public struct LocalDateTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Counted as if the day were one of UTC.
    public let secondsSince1970: Int64

    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    public init(_ date: LocalDate, _ time: LocalTime) {
        secondsSince1970 = date.daysSince1970 * 86_400 + time.secondsOfDay
    }

    /// Reads `2030-03-31T02:30` or `2030-03-31T02:30:00`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let date = LocalDate(parts[0]), let time = LocalTime(parts[1]) else { return nil }
        self.init(date, time)
    }

    public var date: LocalDate {
        let days = secondsSince1970 / 86_400
        return LocalDate(daysSince1970: secondsSince1970 % 86_400 < 0 ? days - 1 : days)
    }

    public func adding(seconds: Int64) -> LocalDateTime {
        LocalDateTime(secondsSince1970: secondsSince1970 + seconds)
    }

    /// `2030-03-31T02:30:00`
    public var description: String { String(Timestamp(seconds: secondsSince1970).rfc3339.dropLast()) }

    public static func < (left: Self, right: Self) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}
