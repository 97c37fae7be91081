/// Times on the wire: `2026-11-30T20:35:10.5Z`. Source: RFC 3339 §5.6, years 1 to 9999, up to nine digits of fraction.
enum RFC3339 {
    static func isTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count), matches(bytes[..<19], "dddd-dd-ddTdd:dd:dd") else { return false }
        let zone = bytes[19...].drop { $0 == UInt8(ascii: ".") || isDigit($0) }
        return isFraction(bytes[19..<zone.startIndex]) && isZone(zone) && isDate(bytes) && isClock(bytes)
    }

    private static func isDate(_ bytes: [UInt8]) -> Bool {
        let year = number(bytes[..<4])
        let month = number(bytes[5..<7])
        guard year > 0, (1...12).contains(month) else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...lengths[month - 1]).contains(number(bytes[8..<10]))
    }

    private static func isClock(_ bytes: [UInt8]) -> Bool {
        number(bytes[11..<13]) < 24 && number(bytes[14..<16]) < 60 && number(bytes[17..<19]) < 60
    }

    private static func isFraction(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.isEmpty
            || bytes.first == UInt8(ascii: ".") && (2...10).contains(bytes.count)
                && bytes.dropFirst().allSatisfy(isDigit)
    }

    private static func isZone(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.elementsEqual([UInt8(ascii: "Z")]) { return true }
        guard matches(bytes, "+dd:dd") || matches(bytes, "-dd:dd") else { return false }
        let start = bytes.startIndex
        return number(bytes[start + 1..<start + 3]) < 24 && number(bytes[start + 4..<start + 6]) < 60
    }

    /// Whether the bytes are the pattern's, in which `d` stands for a digit.
    private static func matches(_ bytes: ArraySlice<UInt8>, _ pattern: StaticString) -> Bool {
        pattern.withUTF8Buffer { pattern in
            bytes.count == pattern.count
                && zip(bytes, pattern).allSatisfy { $1 == UInt8(ascii: "d") ? isDigit($0) : $0 == $1 }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The value of at most four digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }
}
