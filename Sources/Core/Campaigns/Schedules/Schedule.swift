/// When a campaign is sent.
public struct Schedule: Hashable, Sendable {
    public enum Repetition: Hashable, Sendable {
        case now
        case at(LocalDateTime)
        case daily(LocalTime)
        /// 0 is Sunday.
        case weekly(Set<Int>, LocalTime)
        /// Counted from the start date.
        case everyDays(Int64, LocalTime)
        /// Ascending.
        case dates([LocalDate], LocalTime)
    }

    public enum Zone: Hashable, Sendable {
        /// A name of the tz database.
        case named(String)
        /// Each device's own.
        case recipient
    }

    /// What becomes of a time that passed while nobody could send: the service was down, or the campaign paused.
    public enum Missed: String, Hashable, Sendable {
        case send = "SEND"
        case skip = "SKIP"
    }

    public var repetition: Repetition
    public var zone: Zone
    /// The first day; `nil` for the day of publication.
    public var startDate: LocalDate?
    /// The last day.
    public var endDate: LocalDate?
    public var ifMissed: Missed

    public init(
        _ repetition: Repetition, zone: Zone = .named("UTC"), startDate: LocalDate? = nil, endDate: LocalDate? = nil,
        ifMissed: Missed = .send
    ) {
        self.repetition = repetition
        self.zone = zone
        self.startDate = startDate
        self.endDate = endDate
        self.ifMissed = ifMissed
    }

    public var repeats: Bool {
        switch repetition {
        case .now, .at: false
        case .daily, .weekly, .everyDays, .dates: true
        }
    }

    /// The next local time after another; `nil` when there is none. `now` has none: it knows no clock.
    ///
    /// - Parameter firstDay: The day of publication, where the schedule names no start.
    func next(after local: LocalDateTime, firstDay: LocalDate) -> LocalDateTime? {
        let start = startDate ?? firstDay
        let from = max(local.date, start)
        switch repetition {
        case .now: return nil
        case .at(let time): return time > local ? time : nil
        case .daily(let time): return first(after: local, time, among: (0...1).map { from.adding(days: $0) })
        case .weekly(let weekdays, let time):
            let days = (0...7).map { from.adding(days: Int64($0)) }.filter { weekdays.contains($0.weekday) }
            return first(after: local, time, among: days)
        case .everyDays(let step, let time):
            guard step >= 1 else { return nil }
            let passed = (from.daysSince1970 - start.daysSince1970) / step
            return first(after: local, time, among: (passed...passed + 1).map { start.adding(days: $0 * step) })
        case .dates(let dates, let time): return first(after: local, time, among: dates)
        }
    }

    private func first(after local: LocalDateTime, _ time: LocalTime, among days: [LocalDate]) -> LocalDateTime? {
        days.lazy.filter { day in
            day >= startDate ?? day && day <= endDate ?? day
        }.map { LocalDateTime($0, time) }.first { $0 > local }
    }
}
