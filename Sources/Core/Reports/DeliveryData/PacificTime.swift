public import PushModel
public import Timekeeping

/// Days in California, by which Google counts. Source: US Energy Policy Act of 2005: daylight saving from the second
/// Sunday of March to the first of November, at 2 o'clock.
public enum PacificTime {
    private static let standardOffsetSeconds: Int64 = -8 * 3600
    private static let secondsPerDay: Int64 = 86_400

    /// Whole days since 1970 of the local date on which the message was accepted.
    public static func day(of message: MessageID) -> Int64 {
        day(at: Timestamp(milliseconds: message.value / 1000))
    }

    public static func day(at time: Timestamp) -> Int64 {
        let seconds = time.seconds + offsetSeconds(at: time)
        return seconds >= 0 ? seconds / secondsPerDay : (seconds - secondsPerDay + 1) / secondsPerDay
    }

    private static func offsetSeconds(at time: Timestamp) -> Int64 {
        let standard = CalendarTime(time.adding(seconds: standardOffsetSeconds))
        return isSummer(standard) ? standardOffsetSeconds + 3600 : standardOffsetSeconds
    }

    /// - Parameter time: By standard time, in which summer ends at 1 o'clock.
    private static func isSummer(_ time: CalendarTime) -> Bool {
        switch time.month {
        case 4...10: true
        case 3: isAfter(sunday: 8, hour: 2, time)
        case 11: !isAfter(sunday: 1, hour: 1, time)
        default: false
        }
    }

    /// Whether it is later than that hour of the first Sunday on or after a day of the month.
    private static func isAfter(sunday earliest: Int, hour: Int, _ time: CalendarTime) -> Bool {
        let weekdayOfEarliest = ((time.weekday - (time.day - earliest)) % 7 + 7) % 7
        let sunday = earliest + (7 - weekdayOfEarliest) % 7
        return time.day > sunday || (time.day == sunday && time.hour >= hour)
    }
}
