import Glibc

/// The `date` field's value, made anew once a second. Source: RFC 9110 §5.6.7, IMF-fixdate.
struct DateText {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var second = -1
    private var text = ""

    /// The text of the machine's time.
    mutating func now() -> String {
        let now = time(nil)
        guard now != second else { return text }
        second = now
        text = Self.format(secondsSince1970: now)
        return text
    }

    /// - Parameter secondsSince1970: Not negative.
    static func format(secondsSince1970 seconds: Int) -> String {
        let day = max(0, seconds) / 86_400
        let rest = max(0, seconds) % 86_400
        let (year, month, dayOfMonth) = civil(day: day)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { twoDigits($0) }.joined(separator: ":")
        return "\(days[day % 7]), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The Gregorian date of a day since 1970, counted from 0000-03-01 in eras of 400 years.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + shifted / 146_097 * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
