public import JSON
import PushCore
public import PushModel

/// Reads what a person composed and says of each field what is wrong with it.
public struct CampaignReader {
    public private(set) var violations: [SendError.Violation] = []

    /// Members that only the service sets; a whole campaign may be sent back as it was read.
    private static let serviceMembers: Set<String> = [
        "campaignId", "state", "stateReason", "revision", "createdAt", "updatedAt", "createdBy", "nextRunAt",
        "lastRunAt", "publishedAt", "counts", "runs",
    ]

    public init() {}

    /// What could be read; only to be used when there are no `violations`.
    public mutating func content(_ json: JSONObject) -> CampaignContent {
        let known: Set<String> = ["name", "notification", "options", "target", "schedule"]
        refuseOthers(json, than: known.union(Self.serviceMembers), in: "")
        var content = CampaignContent(name: text(json["name"], "name", bytes: CampaignLimits.nameBytes) ?? "")
        if content.name.isEmpty { refuse("name", "Give the campaign a name; the people who get it do not see it.") }
        read(object(json["notification"], "notification"), into: &content)
        content.options = options(object(json["options"], "options"))
        if let value = json["target"], value != .null { content.target = target(value) }
        if let value = json["schedule"], value != .null {
            var reader = ScheduleReader()
            content.schedule = reader.schedule(object(value, "schedule"))
            violations += reader.violations
        }
        return content
    }

    // MARK: Parts

    private mutating func read(_ json: JSONObject, into content: inout CampaignContent) {
        refuseOthers(json, than: ["title", "body", "imageUrl"], in: "notification.")
        content.title = shown(json["title"], "notification.title")
        content.body = shown(json["body"], "notification.body")
        let field = "notification.imageUrl"
        content.imageURL = text(json["imageUrl"], field, bytes: CampaignLimits.urlBytes)
        if let url = content.imageURL, !Self.isHTTPS(url) { refuse(field, "The image must be an https:// address.") }
    }

    private mutating func shown(_ json: JSONValue?, _ field: String) -> String? {
        guard let text = text(json, field, bytes: 4 * CampaignLimits.textCodePoints) else { return nil }
        if text.unicodeScalars.count > CampaignLimits.textCodePoints {
            refuse(field, "The text has at most \(CampaignLimits.textCodePoints) characters.")
        }
        return text
    }

    private mutating func options(_ json: JSONObject) -> CampaignOptions {
        let known: Set<String> = [
            "data", "sound", "badge", "clickAction", "priority", "expirySeconds", "analyticsLabel", "conversionEvent",
            "androidChannel",
        ]
        refuseOthers(json, than: known, in: "options.")
        var options = CampaignOptions()
        options.data = data(object(json["data"], "options.data"))
        options.sound = text(json["sound"], "options.sound", bytes: CampaignLimits.wordBytes)
        options.badge = integer(json["badge"], "options.badge", in: CampaignLimits.badge)
        options.clickAction = text(json["clickAction"], "options.clickAction", bytes: CampaignLimits.urlBytes)
        options.androidChannel = text(
            json["androidChannel"], "options.androidChannel", bytes: CampaignLimits.wordBytes)
        options.conversionEvent = text(json["conversionEvent"], "options.conversionEvent", bytes: 40)
        if let priority = json["priority"]?.string.flatMap({ MessagePriority(rawValue: $0.lowercased()) }) {
            options.priority = priority
        } else if let value = json["priority"], value != .null {
            refuse("options.priority", "priority must be HIGH or NORMAL.")
        }
        let seconds = integer(json["expirySeconds"], "options.expirySeconds", in: TimeToLive.allowedSeconds)
        if let expiry = seconds.flatMap({ TimeToLive(seconds: $0) }) { options.expiry = expiry }
        options.analyticsLabel = label(json["analyticsLabel"])
        return options
    }

    private mutating func label(_ json: JSONValue?) -> AnalyticsLabel? {
        guard let text = text(json, "options.analyticsLabel", bytes: 200) else { return nil }
        let label = AnalyticsLabel(text)
        if label == nil { refuse("options.analyticsLabel", "A label has 1 to 50 characters of [a-zA-Z0-9-_.~%].") }
        return label
    }

    private mutating func data(_ json: JSONObject) -> [Message.DataEntry] {
        if json.count > CampaignLimits.dataEntries {
            refuse("options.data", "At most \(CampaignLimits.dataEntries) entries.")
            return []
        }
        var entries: [Message.DataEntry] = []
        for member in json {
            let field = "options.data.\(member.name)"
            if member.name.isEmpty || member.name == "aps" || DataKeyRules.isReserved(member.name) {
                refuse(
                    field,
                    "This key is reserved. Choose another one than from, message_type, aps, google.* and gcm.*.")
            } else if let value = member.value.string {
                entries.append(.init(key: member.name, value: value))
            } else {
                refuse(field, "Values of custom data are texts: write \"3\" for a number.")
            }
        }
        return entries
    }

    private mutating func target(_ json: JSONValue) -> CampaignTarget? {
        guard let object = json.object, object.count == 1, let member = object.members.first else {
            refuse("target", "A target has exactly one of topic, condition, device and segment.")
            return nil
        }
        let field = "target.\(member.name)"
        switch member.name {
        case "topic":
            if let topic = member.value.string.flatMap({ TopicName($0) }) { return .topic(topic) }
            refuse(field, "A topic has 1 to 900 characters of [a-zA-Z0-9-_.~%], without /topics/.")
        case "condition": return condition(member.value, field: field)
        case "device":
            let text = (member.value.string ?? "").trimmed
            if (1...4_096).contains(text.utf8.count) { return .device(text) }
            refuse(field, "Give a registration token or a Firebase installation id.")
        case "segment":
            var reader = SegmentReader()
            let segment = reader.segment(member.value, field: field)
            violations += reader.violations
            return segment.map { .segment($0) }
        default: refuse(field, "A target has exactly one of topic, condition, device and segment.")
        }
        return nil
    }

    private mutating func condition(_ json: JSONValue, field: String) -> CampaignTarget? {
        do {
            let target = try SendTarget.condition(parsing: json.string ?? "", allowsNegation: true, field: field)
            if case .condition(let condition) = target { return .condition(condition) }
        } catch {
            violations += error.violations
        }
        return nil
    }

    private static func isHTTPS(_ url: String) -> Bool {
        url.utf8.count > 8 && url.prefix(8).lowercased() == "https://"
            && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
    }
}

// MARK: Values

extension CampaignReader {
    private mutating func refuse(_ field: String, _ text: String) {
        violations.append(.init(field: field, description: text))
    }

    private mutating func refuseOthers(_ json: JSONObject, than known: Set<String>, in place: String) {
        for name in json.names where !known.contains(name) { refuse(place + name, "There is no field of that name.") }
    }

    /// Absent and `null` are an empty object.
    private mutating func object(_ json: JSONValue?, _ field: String) -> JSONObject {
        guard let json, json != .null else { return [:] }
        if let object = json.object { return object }
        refuse(field, "This must be an object.")
        return [:]
    }

    /// Absent, `null`, empty and nothing but white space are `nil`: nobody would see such a text.
    private mutating func text(_ json: JSONValue?, _ field: String, bytes: Int) -> String? {
        guard let json, json != .null else { return nil }
        guard let text = json.string, text.utf8.count <= bytes else {
            refuse(field, "This must be a text of at most \(bytes) bytes.")
            return nil
        }
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    private mutating func integer(_ json: JSONValue?, _ field: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let json, json != .null else { return nil }
        if let value = json.int64, range.contains(value) { return value }
        refuse(field, "This must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        return nil
    }
}

extension String {
    /// Without white space and line breaks at its ends.
    public var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
