public import JSON
public import PushModel
import Timekeeping

extension Segment {
    /// A segment that the service wrote itself, its own rules included; `nil` when it is none.
    public init?(json: JSONValue) {
        var reader = SegmentReader(allowsServiceRules: true)
        let segment = reader.segment(json, field: "")
        guard let segment, reader.violations.isEmpty else { return nil }
        self = segment
    }
}

/// Reads segments from JSON and says of each rule what is wrong with it.
public struct SegmentReader {
    /// Characters of a version, a property's name or value that is asked for.
    static let maximumTextBytes = 256
    /// Apps, languages or countries that one rule may name.
    static let maximumNames = 200
    static let maximumDays: Int64 = 36_500

    public private(set) var violations: [SendError.Violation] = []
    private let allowsServiceRules: Bool
    private var rulesLeft = Segment.maximumRules

    public init(allowsServiceRules: Bool = false) {
        self.allowsServiceRules = allowsServiceRules
    }

    /// `nil` when it breaks a rule; then `violations` say which.
    public mutating func segment(_ json: JSONValue, field: String) -> Segment? {
        guard let rules = json["all"]?.array else {
            refuse(
                field,
                "A segment is written {\"all\":[…]}: a list of rules that all hold. Leave the list empty for everybody."
            )
            return nil
        }
        return read(rules, field: field + ".all", depth: 1).map { Segment($0) }
    }

    private mutating func refuse(_ field: String, _ text: String) {
        violations.append(.init(field: field, description: text))
    }

    private mutating func read(_ rules: [JSONValue], field: String, depth: Int) -> [SegmentRule]? {
        var read: [SegmentRule] = []
        var isWhole = true
        for (place, json) in rules.enumerated() {
            guard rulesLeft > 0 else {
                refuse(field, "A segment has at most \(Segment.maximumRules) rules.")
                return nil
            }
            rulesLeft -= 1
            if let rule = rule(json, field: "\(field)[\(place)]", depth: depth) {
                read.append(rule)
            } else {
                isWhole = false
            }
        }
        return isWhole ? read : nil
    }

    private mutating func rule(_ json: JSONValue, field: String, depth: Int) -> SegmentRule? {
        guard depth <= Segment.maximumDepth else {
            refuse(field, "Rules are nested at most \(Segment.maximumDepth) deep.")
            return nil
        }
        guard let object = json.object, object.count == 1, let member = object.members.first else {
            refuse(
                field,
                "A rule has exactly one of app, version, language, country, firstOpen, lastEngagement, property, not, all."
            )
            return nil
        }
        let place = "\(field).\(member.name)"
        let value = member.value
        switch member.name {
        case "app": return apps(value, field: place).map { .app($0) }
        case "version": return version(value, field: place).map { .version($0) }
        case "language": return names(value, field: place, as: Self.language).map { .language($0) }
        case "country": return names(value, field: place, as: Self.country).map { .country($0) }
        case "firstOpen": return time(value, field: place).map { .firstOpen($0) }
        case "lastEngagement": return time(value, field: place).map { .lastEngagement($0) }
        case "property": return property(value, field: place)
        case "not": return rule(value, field: place, depth: depth + 1).map { .not($0) }
        case "all":
            return value.array.flatMap { read($0, field: place, depth: depth + 1) }.map { .all($0) }
        default: break
        }
        if allowsServiceRules, let rule = serviceRule(member.name, value) { return rule }
        refuse(place, "There is no rule of that name.")
        return nil
    }

    private func serviceRule(_ name: String, _ value: JSONValue) -> SegmentRule? {
        switch name {
        case "isApple": value.bool.map { .isApple($0) }
        case "timeZone":
            value["in"]?.array.map {
                .timeZone($0.compactMap(\.string), orUnknown: value["orUnknown"]?.bool ?? false)
            }
        case "registration": value.int64.map { .registration(RegistrationID(value: $0)) }
        default: nil
        }
    }

    // MARK: Values

    private mutating func apps(_ json: JSONValue, field: String) -> [AppID]? {
        guard let texts = texts(json["appIds"], field: field + ".appIds") else { return nil }
        let apps = texts.compactMap { AppID($0) }
        guard apps.count == texts.count else {
            refuse(field + ".appIds", "An app id looks like 1:1234567890:ios:0123456789abcdef.")
            return nil
        }
        return apps
    }

    private mutating func names(
        _ json: JSONValue, field: String, as form: (String) -> String?
    ) -> [String]? {
        guard let texts = texts(json["in"], field: field + ".in") else { return nil }
        let names = texts.compactMap(form)
        guard names.count == texts.count else {
            refuse(field + ".in", "Languages are written de or pt-BR, countries DE.")
            return nil
        }
        return names
    }

    private mutating func texts(_ json: JSONValue?, field: String) -> [String]? {
        let texts = json?.array?.compactMap(\.string) ?? []
        guard (1...Self.maximumNames).contains(texts.count), texts.count == json?.array?.count else {
            refuse(field, "Give a list of 1 to \(Self.maximumNames) texts.")
            return nil
        }
        return texts
    }

    private mutating func text(_ json: JSONValue?, field: String) -> String? {
        guard let text = json?.string, (1...Self.maximumTextBytes).contains(text.utf8.count) else {
            refuse(field, "Give a text of 1 to \(Self.maximumTextBytes) bytes.")
            return nil
        }
        return text
    }

    private mutating func version(_ json: JSONValue, field: String) -> SegmentRule.VersionMatch? {
        guard let value = text(json["value"], field: field + ".value") else { return nil }
        switch json["op"]?.string {
        case "is": return .isEqual(value)
        case "isNot": return .isNot(value)
        case "contains": return .contains(value)
        case "matches": return .matches(value)
        case "atLeast": return .atLeast(value)
        case "below": return .below(value)
        default:
            refuse(field + ".op", "op must be is, isNot, contains, matches (with * for any text), atLeast or below.")
            return nil
        }
    }

    private mutating func time(_ json: JSONValue, field: String) -> SegmentRule.TimeMatch? {
        let op = json["op"]?.string
        switch op {
        case "before", "after":
            let text = json["value"]?.string ?? ""
            guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
                refuse(field + ".value", "Give a date (2026-12-01) or a time (2026-12-01T10:00:00Z).")
                return nil
            }
            return op == "before" ? .before(time) : .after(time)
        case "withinDays", "olderThanDays":
            guard let days = json["value"]?.int64, (0...Self.maximumDays).contains(days) else {
                refuse(field + ".value", "Give a number of days from 0 to \(Self.maximumDays).")
                return nil
            }
            return op == "withinDays" ? .withinDays(days) : .olderThanDays(days)
        default:
            refuse(field + ".op", "op must be before, after, withinDays or olderThanDays.")
            return nil
        }
    }

    private mutating func property(_ json: JSONValue, field: String) -> SegmentRule? {
        guard let name = text(json["name"], field: field + ".name") else { return nil }
        let place = field + ".value"
        switch json["op"]?.string {
        case "exists": return .property(name: name, .exists)
        case "is": return text(json["value"], field: place).map { .property(name: name, .isEqual($0)) }
        case "isNot": return text(json["value"], field: place).map { .property(name: name, .isNot($0)) }
        case "contains": return text(json["value"], field: place).map { .property(name: name, .contains($0)) }
        case "greaterThan": return number(json["value"], field: place).map { .property(name: name, .greaterThan($0)) }
        case "lessThan": return number(json["value"], field: place).map { .property(name: name, .lessThan($0)) }
        default:
            refuse(field + ".op", "op must be is, isNot, exists, contains, greaterThan or lessThan.")
            return nil
        }
    }

    private mutating func number(_ json: JSONValue?, field: String) -> Double? {
        let number = json?.double ?? json?.string.flatMap { Double($0) }
        guard let number, number.isFinite else {
            refuse(field, "Give a number.")
            return nil
        }
        return number
    }

    // MARK: Names

    private static func language(_ text: String) -> String? { LocaleTag(text)?.name }

    private static func country(_ text: String) -> String? {
        let upper = text.uppercased()
        return upper.utf8.count == 2 && upper.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? upper : nil
    }
}
