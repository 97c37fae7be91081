/// The rule of a zone for years that its file does not list: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX.1, "TZ", with the hours from −167 to 167 of RFC 8536 §3.3.1.
enum PosixZoneRule: Sendable, Equatable {
    case fixed(Int32)
    case yearly(standard: Int32, daylight: Int32, start: Change, end: Change)

    /// A day of each year and a time of that day.
    struct Change: Sendable, Equatable {
        enum Day: Sendable, Equatable {
            /// 1 to 365; 29 February is never counted.
            case julian(Int)
            /// 0 to 365, 29 February counted.
            case dayOfYear(Int)
            /// The week-th weekday of a month; week 5 is the last one. 0 is Sunday.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        var day: Day
        /// Seconds after midnight; may be negative or more than a day.
        var seconds: Int64
    }

    /// Offsets of summer and winter, as the rule has them.
    func offset(atSeconds seconds: Int64) -> Int64 {
        switch self {
        case .fixed(let offset): return Int64(offset)
        case .yearly(let standard, let daylight, let start, let end):
            let year = CivilYear(ofSeconds: seconds + Int64(standard)).year
            // The last change before the time is in this year or in one beside it.
            var latest: (at: Int64, offset: Int32)?
            for year in (year - 1)...(year + 1) {
                let changes = [
                    (start.seconds(in: year) - Int64(standard), daylight),
                    (end.seconds(in: year) - Int64(daylight), standard),
                ]
                for (at, offset) in changes where at <= seconds && at >= latest?.at ?? .min { latest = (at, offset) }
            }
            return Int64(latest?.offset ?? standard)
        }
    }
}

extension PosixZoneRule.Change {
    /// Local seconds since 1970.
    fileprivate func seconds(in year: Int) -> Int64 {
        let calendar = CivilYear(year)
        let days: Int64 =
            switch day {
            case .julian(let day): calendar.firstDay + Int64(day - 1) + (calendar.isLeap && day >= 60 ? 1 : 0)
            case .dayOfYear(let day): calendar.firstDay + Int64(day)
            case .weekday(let month, let week, let weekday): calendar.day(month: month, week: week, weekday: weekday)
            }
        return days * 86_400 + seconds
    }
}

/// One year of the Gregorian calendar.
struct CivilYear {
    let year: Int

    init(_ year: Int) {
        self.year = year
    }

    /// The year of a time. Years that a campaign can never reach give the nearest that it can.
    init(ofSeconds seconds: Int64) {
        let days = min(max(seconds / 86_400, -700_000), 2_900_000)
        var year = 1970 + Int(days * 400 / 146_097)
        while CivilYear(year).firstDay > days { year -= 1 }
        while CivilYear(year + 1).firstDay <= days { year += 1 }
        self.year = year
    }

    var isLeap: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Days from 1970 to 1 January.
    var firstDay: Int64 {
        let past = Int64(year - 1)
        return past * 365 + Self.floor(past, 4) - Self.floor(past, 100) + Self.floor(past, 400) - 719_162
    }

    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }

    private func firstDay(ofMonth month: Int) -> Int64 {
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
        return firstDay + Int64(before[min(max(month, 1), 12) - 1]) + (month > 2 && isLeap ? 1 : 0)
    }

    func day(month: Int, week: Int, weekday: Int) -> Int64 {
        let first = firstDay(ofMonth: month)
        let firstWeekday = ((first + 4) % 7 + 7) % 7
        var day = first + (Int64(weekday) - firstWeekday + 7) % 7 + Int64(week - 1) * 7
        let next = month == 12 ? CivilYear(year + 1).firstDay : firstDay(ofMonth: month + 1)
        while day >= next { day -= 7 }
        return day
    }
}
