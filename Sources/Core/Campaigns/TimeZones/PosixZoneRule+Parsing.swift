extension PosixZoneRule {
    static let maximumBytes = 128

    /// `nil` when the text is no rule.
    init?(_ text: [UInt8]) {
        guard text.count <= Self.maximumBytes else { return nil }
        var reader = Reader(rest: text[...])
        guard reader.name(), let west = reader.hours(limit: 24) else { return nil }
        let standard = Int32(-west)
        guard !reader.rest.isEmpty else {
            self = .fixed(standard)
            return
        }
        guard reader.name() else { return nil }
        var daylight = standard + 3600
        if let next = reader.rest.first, next != UInt8(ascii: ",") {
            guard let west = reader.hours(limit: 24) else { return nil }
            daylight = Int32(-west)
        }
        guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
        self = .yearly(standard: standard, daylight: daylight, start: start, end: end)
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: mark) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// Letters, or anything between angle brackets.
        mutating func name() -> Bool {
            if skip("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else { return false }
                rest = rest[rest.index(after: end)...]
                return true
            }
            let letters = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
            rest = rest.dropFirst(letters.count)
            return letters.count >= 3
        }

        mutating func number(in range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix(4).prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return range.contains(value) ? value : nil
        }

        /// `[+-]h[h[h]][:mm[:ss]]` in seconds.
        mutating func hours(limit: Int) -> Int64? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number(in: 0...limit) else { return nil }
            var seconds = Int64(hours) * 3600
            if skip(":") {
                guard let minutes = number(in: 0...59) else { return nil }
                seconds += Int64(minutes) * 60
                if skip(":") {
                    guard let more = number(in: 0...59) else { return nil }
                    seconds += Int64(more)
                }
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard skip(","), let day = day() else { return nil }
            guard skip("/") else { return Change(day: day, seconds: 7200) }
            return hours(limit: 167).map { Change(day: day, seconds: $0) }
        }

        private mutating func day() -> Change.Day? {
            if skip("J") { return number(in: 1...365).map { .julian($0) } }
            guard skip("M") else { return number(in: 0...365).map { .dayOfYear($0) } }
            guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
                let weekday = number(in: 0...6)
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }
    }
}
