import JSON
import PushModel

/// Reads a schedule.
struct ScheduleReader {
    static let weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]

    private(set) var violations: [SendError.Violation] = []

    /// `nil` when it breaks a rule; then `violations` say which.
    mutating func schedule(_ json: JSONObject) -> Schedule? {
        let known: Set<String> = [
            "kind", "at", "timeZone", "timeOfDay", "weekdays", "everyDays", "dates", "startDate", "endDate", "ifMissed",
        ]
        for name in json.names where !known.contains(name) { refuse(name, "There is no field of that name.") }
        let repetition = repetition(json)
        let zone = zone(json["timeZone"])
        let start = date(json["startDate"], "startDate")
        let end = date(json["endDate"], "endDate")
        if let start, let end, end < start { refuse("endDate", "The end comes before the start.") }
        let missed = missed(json["ifMissed"])
        guard let repetition, violations.isEmpty else { return nil }
        if repetition == .now, zone == .recipient {
            refuse("timeZone", "Now is the same moment everywhere: choose a time for the recipients' time zones.")
            return nil
        }
        return Schedule(repetition, zone: zone, startDate: start, endDate: end, ifMissed: missed)
    }

    private mutating func refuse(_ field: String, _ text: String) {
        violations.append(.init(field: "schedule." + field, description: text))
    }

    private mutating func repetition(_ json: JSONObject) -> Schedule.Repetition? {
        switch json["kind"]?.string {
        case "NOW": return .now
        case "AT":
            if let time = json["at"]?.string.flatMap({ LocalDateTime($0) }) { return .at(time) }
            refuse("at", "Give a day and a time that exist, without a zone: 2030-03-31T02:30.")
        case "DAILY": return timeOfDay(json).map { .daily($0) }
        case "WEEKLY":
            let days = weekdays(json["weekdays"])
            return timeOfDay(json).flatMap { time in days.map { .weekly($0, time) } }
        case "CUSTOM": return custom(json)
        default: refuse("kind", "kind must be NOW, AT, DAILY, WEEKLY or CUSTOM.")
        }
        return nil
    }

    private mutating func custom(_ json: JSONObject) -> Schedule.Repetition? {
        guard let time = timeOfDay(json) else { return nil }
        let dates = json["dates"]?.array ?? []
        if !dates.isEmpty {
            let read = dates.compactMap { $0.string.flatMap { LocalDate($0) } }
            guard read.count == dates.count, read.count <= CampaignLimits.dates else {
                refuse("dates", "Give at most \(CampaignLimits.dates) days that exist: 2028-02-29.")
                return nil
            }
            return .dates(Set(read).sorted(), time)
        }
        guard let days = json["everyDays"]?.int64, CampaignLimits.everyDays.contains(days) else {
            refuse("everyDays", "Give dates, or a number of days from 1 to \(CampaignLimits.everyDays.upperBound).")
            return nil
        }
        return .everyDays(days, time)
    }

    private mutating func timeOfDay(_ json: JSONObject) -> LocalTime? {
        if let time = json["timeOfDay"]?.string.flatMap({ LocalTime($0) }) { return time }
        refuse("timeOfDay", "Give a time of day: 09:00.")
        return nil
    }

    private mutating func weekdays(_ json: JSONValue?) -> Set<Int>? {
        let names = json?.array ?? []
        let days = names.compactMap { name in Self.weekdays.firstIndex { $0 == name.string } }
        guard !days.isEmpty, days.count == names.count, days.count <= 7 else {
            refuse("weekdays", "Give at least one of MON, TUE, WED, THU, FRI, SAT, SUN.")
            return nil
        }
        return Set(days)
    }

    private mutating func zone(_ json: JSONValue?) -> Schedule.Zone {
        guard let json, json != .null else { return .named("UTC") }
        guard let name = json.string, ZoneFolder.isName(name) else {
            refuse("timeZone", "Give a name of the tz database (Europe/Berlin), UTC or RECIPIENT.")
            return .named("UTC")
        }
        return name == "RECIPIENT" ? .recipient : .named(name)
    }

    private mutating func date(_ json: JSONValue?, _ field: String) -> LocalDate? {
        guard let json, json != .null, json != .string("") else { return nil }
        if let date = json.string.flatMap({ LocalDate($0) }) { return date }
        refuse(field, "Give a day that exists: 2026-12-01.")
        return nil
    }

    private mutating func missed(_ json: JSONValue?) -> Schedule.Missed {
        guard let json, json != .null else { return .send }
        if let missed = json.string.flatMap({ Schedule.Missed(rawValue: $0) }) { return missed }
        refuse("ifMissed", "ifMissed must be SEND or SKIP.")
        return .send
    }
}
