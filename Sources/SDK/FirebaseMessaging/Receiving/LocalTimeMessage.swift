import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// When a message that names a time of the device's own clock is to be shown.
enum LocalTimeMessage {
    enum Plan: Sendable, Hashable {
        /// An ordinary message: it names no time.
        case none
        case show(at: LocalTime)
        /// Its time is over.
        case drop
        case unreadable(String)
    }

    static let delaySeconds: Int64 = 10

    /// - Parameter offset: Seconds that local time is ahead of UTC at a moment.
    static func plan(
        _ message: ReceivedMessage, now: Date, offset: (Date) -> Int
    ) -> Plan {
        guard let value = message.payload["google.c.cm.lt_start"] else { return .none }
        guard let start = value.string.flatMap(time(parsing:)) else { return .unreadable("google.c.cm.lt_start") }
        let localNow = Int64(now.timeIntervalSince1970.rounded(.down)) + Int64(offset(now))
        if instant(start, offset) > now { return .show(at: start) }
        guard let endValue = message.payload["google.c.cm.lt_end"] else { return .drop }
        guard let end = endValue.string.flatMap(time(parsing:)) else { return .unreadable("google.c.cm.lt_end") }
        guard instant(end, offset) > now else { return .drop }
        return .show(at: LocalTime(secondsSince1970: localNow + delaySeconds))
    }

    /// The moment at which local clocks show this time.
    private static func instant(_ time: LocalTime, _ offset: (Date) -> Int) -> Date {
        let wall = Date(timeIntervalSince1970: Double(time.secondsSince1970 ?? 0))
        let guess = wall - Double(offset(wall))
        return wall - Double(offset(guess))
    }

    /// Reads `yyyy-MM-dd HH:mm:ss`, whatever the device's calendar and its 12 or 24 hours.
    static func time(parsing text: String) -> LocalTime? {
        let bytes = Array(text.utf8)
        guard bytes.count == 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19])
        else { return nil }
        let time = LocalTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return time.secondsSince1970 == nil ? nil : time
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The notification that shows the message. Its `userInfo` is the message without what made it wait, so that a tap
    /// on it is handled as an ordinary message.
    static func notification(
        for message: ReceivedMessage, identifier: String, at time: LocalTime
    ) -> LocalNotification {
        let userInfo = message.payload.filter { key, _ in
            key != "aps" && key != "gcm.notification.content-available" && !key.hasPrefix("google.c.cm.")
        }
        return LocalNotification(
            identifier: identifier,
            title: message.text("gcm.notification.title"), body: message.text("gcm.notification.body"),
            badge: message.payload["gcm.notification.badge"]?.wholeNumber.flatMap(Int.init(exactly:)),
            sound: message.text("gcm.notification.sound"),
            category: message.text("gcm.notification.click_action"), userInfo: userInfo, at: time)
    }
}
