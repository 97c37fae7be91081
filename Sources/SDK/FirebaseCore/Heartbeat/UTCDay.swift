import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum UTCDay {
    /// `yyyy-MM-dd` in UTC.
    static func text(_ date: Date) -> String {
        let time = LocalTime(secondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)))
        return [(time.year, 4), (time.month, 2), (time.day, 2)].map { value, width in
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }.joined(separator: "-")
    }
}
