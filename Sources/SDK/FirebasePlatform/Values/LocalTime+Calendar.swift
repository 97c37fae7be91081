extension LocalTime {
    /// Days, hours and so on of a count of seconds since 1970, without any zone. Gregorian calendar.
    ///
    /// The arithmetic is Howard Hinnant's `civil_from_days`, which holds for every year that fits.
    public init(secondsSince1970 seconds: Int64) {
        let limited = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let days = Self.floorDivide(limited, 86400)
        let ofDay = Int(limited - days * 86400)
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            year: Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), month: Int(month),
            day: Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1),
            hour: ofDay / 3600, minute: ofDay / 60 % 60, second: ofDay % 60)
    }

    /// The count of seconds since 1970 that these digits are, read without any zone. `nil` for a date that does not
    /// exist, like 30 February.
    public var secondsSince1970: Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = Self.floorDivide(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds = days * 86400 + Int64(hour * 3600 + minute * 60 + second)
        return LocalTime(secondsSince1970: seconds) == self ? seconds : nil
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }
}
