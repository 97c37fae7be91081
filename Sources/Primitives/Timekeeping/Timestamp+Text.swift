extension Timestamp {
    /// `2026-01-31T09:05:00.250Z`; without a fraction when it is zero. Source: RFC 3339 §5.6.
    public var rfc3339: String {
        let time = CalendarTime(self)
        let date = "\(digits(time.year, 4))-\(digits(time.month, 2))-\(digits(time.day, 2))"
        let fraction = time.millisecond == 0 ? "" : ".\(digits(time.millisecond, 3))"
        return "\(date)T\(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2))\(fraction)Z"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110 §5.6.7.
    public var httpDate: String {
        let time = CalendarTime(self)
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][time.weekday]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekday), \(digits(time.day, 2)) \(months[time.month - 1]) \(digits(time.year, 4)) "
            + "\(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2)) GMT"
    }

    /// Reads RFC 3339 §5.6 with any offset and 1 to 9 fractional digits, which are cut to milliseconds. `nil` for
    /// anything else, also for dates that do not exist and years before 1. A leap second counts as the second before.
    public init?(rfc3339 text: String) {
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip("t"), let hour = reader.number(2),
            reader.skip(":"), let minute = reader.number(2), reader.skip(":"), let second = reader.number(2),
            let millisecond = reader.milliseconds(), let offsetMinutes = reader.offsetMinutes(), reader.isAtEnd
        else { return nil }
        guard year >= 1, 1...12 ~= month, 1...CalendarTime.days(inMonth: month, year: year) ~= day, hour < 24,
            minute < 60, second <= 60
        else { return nil }
        let time = CalendarTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59),
            millisecond: millisecond)
        self = time.timestamp.adding(seconds: Int64(-offsetMinutes * 60))
    }
}

private func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(width - text.count, 0)) + text
}

/// Takes a text apart that consists of digits and marks at known places.
private struct DigitReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(_ width: Int) -> Int? {
        let text = rest.prefix(width)
        guard text.count == width, text.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(width)
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    mutating func milliseconds() -> Int? {
        guard skip(".") else { return 0 }
        let fraction = rest.prefix(while: isDigit)
        guard 1...9 ~= fraction.count else { return nil }
        rest = rest.dropFirst(fraction.count)
        let padded = fraction.prefix(3) + repeatElement(UInt8(ascii: "0"), count: max(3 - fraction.count, 0))
        return padded.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    mutating func offsetMinutes() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isPositive = skip("+")
        guard isPositive || skip("-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24,
            minutes < 60
        else { return nil }
        return (isPositive ? 1 : -1) * (hours * 60 + minutes)
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
