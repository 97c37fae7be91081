public import JSON
public import PushModel
import Timekeeping

extension Segment {
    /// `{"all":[…]}`, as the console's API writes it.
    public var json: JSONValue { ["all": .array(rules.map(\.json))] }
}

extension SegmentRule {
    public var json: JSONValue {
        switch self {
        case .app(let ids): ["app": ["appIds": .array(ids.map { .string($0.text) })]]
        case .version(let match): ["version": match.json]
        case .language(let names): ["language": ["in": .array(names.map { .string($0) })]]
        case .country(let names): ["country": ["in": .array(names.map { .string($0) })]]
        case .firstOpen(let match): ["firstOpen": match.json]
        case .lastEngagement(let match): ["lastEngagement": match.json]
        case .property(let name, let match): ["property": match.json(name: name)]
        case .all(let rules): ["all": .array(rules.map(\.json))]
        case .not(let rule): ["not": rule.json]
        case .isApple(let isApple): ["isApple": .bool(isApple)]
        case .timeZone(let names, let orUnknown):
            ["timeZone": ["in": .array(names.map { .string($0) }), "orUnknown": .bool(orUnknown)]]
        case .registration(let id): ["registration": .integer(id.value)]
        }
    }
}

extension SegmentRule.VersionMatch {
    fileprivate var json: JSONValue {
        switch self {
        case .isEqual(let value): ["op": "is", "value": .string(value)]
        case .isNot(let value): ["op": "isNot", "value": .string(value)]
        case .contains(let value): ["op": "contains", "value": .string(value)]
        case .matches(let value): ["op": "matches", "value": .string(value)]
        case .atLeast(let value): ["op": "atLeast", "value": .string(value)]
        case .below(let value): ["op": "below", "value": .string(value)]
        }
    }
}

extension SegmentRule.TimeMatch {
    fileprivate var json: JSONValue {
        switch self {
        case .before(let time): ["op": "before", "value": .string(time.rfc3339)]
        case .after(let time): ["op": "after", "value": .string(time.rfc3339)]
        case .withinDays(let days): ["op": "withinDays", "value": .integer(days)]
        case .olderThanDays(let days): ["op": "olderThanDays", "value": .integer(days)]
        }
    }
}

extension SegmentRule.PropertyMatch {
    fileprivate func json(name: String) -> JSONValue {
        switch self {
        case .exists: ["name": .string(name), "op": "exists"]
        case .isEqual(let value): ["name": .string(name), "op": "is", "value": .string(value)]
        case .isNot(let value): ["name": .string(name), "op": "isNot", "value": .string(value)]
        case .contains(let value): ["name": .string(name), "op": "contains", "value": .string(value)]
        case .greaterThan(let value): ["name": .string(name), "op": "greaterThan", "value": number(value)]
        case .lessThan(let value): ["name": .string(name), "op": "lessThan", "value": number(value)]
        }
    }

    private func number(_ value: Double) -> JSONValue { JSONNumber(value).map { .number($0) } ?? 0 }
}
