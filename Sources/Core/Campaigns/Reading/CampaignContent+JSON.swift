public import JSON
import PushCore
import PushModel

extension CampaignContent {
    /// `name`, `notification`, `options`, `target` and `schedule`, as `CampaignReader` takes them.
    public var json: JSONObject {
        var notification = JSONObject()
        if let title { notification["title"] = .string(title) }
        if let body { notification["body"] = .string(body) }
        if let imageURL { notification["imageUrl"] = .string(imageURL) }
        var json: JSONObject = [
            "name": .string(name), "notification": .object(notification), "options": .object(options.json),
        ]
        if let target { json["target"] = target.json }
        if let schedule { json["schedule"] = .object(schedule.json) }
        return json
    }

    /// What the store kept; `nil` when it is damaged.
    public init?(stored: JSONObject) {
        var reader = CampaignReader()
        let content = reader.content(stored)
        guard reader.violations.isEmpty else { return nil }
        self = content
    }
}

extension CampaignOptions {
    fileprivate var json: JSONObject {
        [
            "data": .object(JSONObject(data.map { ($0.key, .string($0.value)) })),
            "sound": sound.map { .string($0) } ?? .null,
            "badge": badge.map { .integer($0) } ?? .null,
            "clickAction": .string(clickAction ?? ""),
            "priority": .string(priority.rawValue.uppercased()),
            "expirySeconds": .integer(expiry.seconds),
            "analyticsLabel": .string(analyticsLabel?.text ?? ""),
            "conversionEvent": .string(conversionEvent ?? ""),
            "androidChannel": .string(androidChannel ?? ""),
        ]
    }
}

extension CampaignTarget {
    fileprivate var json: JSONValue {
        switch self {
        case .topic(let topic): ["topic": .string(topic.text)]
        case .condition(let condition): ["condition": .string(condition.description)]
        case .device(let text): ["device": .string(text)]
        case .segment(let segment): ["segment": segment.json]
        }
    }
}

extension Schedule {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["kind": .string(kind)]
        switch repetition {
        case .now: break
        case .at(let time): json["at"] = .string(time.description)
        case .daily(let time): json["timeOfDay"] = .string(time.description)
        case .weekly(let days, let time):
            json["weekdays"] = .array(days.sorted().map { .string(ScheduleReader.weekdays[$0 % 7]) })
            json["timeOfDay"] = .string(time.description)
        case .everyDays(let days, let time):
            json["everyDays"] = .integer(days)
            json["timeOfDay"] = .string(time.description)
        case .dates(let dates, let time):
            json["dates"] = .array(dates.map { .string($0.description) })
            json["timeOfDay"] = .string(time.description)
        }
        json["timeZone"] = .string(zoneName)
        if let startDate { json["startDate"] = .string(startDate.description) }
        if let endDate { json["endDate"] = .string(endDate.description) }
        json["ifMissed"] = .string(ifMissed.rawValue)
        return json
    }

    private var kind: String {
        switch repetition {
        case .now: "NOW"
        case .at: "AT"
        case .daily: "DAILY"
        case .weekly: "WEEKLY"
        case .everyDays, .dates: "CUSTOM"
        }
    }

    private var zoneName: String {
        switch zone {
        case .named(let name): name
        case .recipient: "RECIPIENT"
        }
    }
}
