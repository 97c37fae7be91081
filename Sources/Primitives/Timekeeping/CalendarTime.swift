/// A point in time as people write it, in UTC.
public struct CalendarTime: Hashable, Sendable {
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    public var millisecond: Int
}

extension CalendarTime {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The years that four digits can write; times beyond are moved to the nearest one.
    private static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    public init(_ timestamp: Timestamp) {
        let milliseconds = min(max(timestamp.milliseconds, Self.writable.lowerBound), Self.writable.upperBound)
        var (days, rest) = milliseconds.quotientAndRemainder(dividingBy: Self.millisecondsPerDay)
        if rest < 0 {
            days -= 1
            rest += Self.millisecondsPerDay
        }
        (year, month, day) = Self.date(daysSince1970: Int(days))
        hour = Int(rest / 3_600_000)
        minute = Int(rest / 60_000 % 60)
        second = Int(rest / 1000 % 60)
        millisecond = Int(rest % 1000)
    }

    /// 0 is Sunday.
    public var weekday: Int {
        let days = Self.daysSince1970(year: year, month: month, day: day)
        return ((days + 4) % 7 + 7) % 7
    }

    /// - Precondition: The parts are in their ranges; `Timestamp(rfc3339:)` checks them.
    var timestamp: Timestamp {
        let days = Int64(Self.daysSince1970(year: year, month: month, day: day))
        let seconds = Int64(hour * 3600 + minute * 60 + second)
        return Timestamp(milliseconds: days * Self.millisecondsPerDay + seconds * 1000 + Int64(millisecond))
    }

    static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Counts days in years that begin in March and eras of 400 years, so that leap days come last.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
