import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LocalTime {
    /// The same moment as a calendar counts it. The system compares with the calendar that the user chose, which may be
    /// the Buddhist or the Japanese one; the digits of a `LocalTime` are Gregorian.
    func components(in calendar: Calendar) -> DateComponents {
        let digits = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        guard let date = gregorian.date(from: digits) else { return digits }
        return calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    }
}
