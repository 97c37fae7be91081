public import Timekeeping

/// Who is meant by what is known of the app instances: all rules hold.
public struct Segment: Hashable, Sendable {
    /// Rules of one segment, nested ones counted.
    public static let maximumRules = 50
    public static let maximumDepth = 8

    public var rules: [SegmentRule]

    public init(_ rules: [SegmentRule]) {
        self.rules = rules
    }
}

/// One thing that is asked of an app instance.
public indirect enum SegmentRule: Hashable, Sendable {
    /// One of these apps.
    case app([AppID])
    case version(VersionMatch)
    /// One of these languages: `de`, or `pt-BR` with its region.
    case language([String])
    /// One of these countries, ISO 3166: `DE`.
    case country([String])
    /// When the app instance was seen first.
    case firstOpen(TimeMatch)
    /// When the device was seen last, or the app last told of a notification that was opened or shown.
    case lastEngagement(TimeMatch)
    case property(name: String, PropertyMatch)
    case all([SegmentRule])
    case not(SegmentRule)
    // What the service asks for itself.
    /// Whether it is an Apple app.
    case isApple(Bool)
    /// The device's time zone is one of these.
    case timeZone([String], orUnknown: Bool)
    case registration(RegistrationID)

    /// The app's version. Texts are compared without regard to case, `atLeast` and `below` by `AppVersion`.
    public enum VersionMatch: Hashable, Sendable {
        case isEqual(String)
        case isNot(String)
        case contains(String)
        case matches(String)
        case atLeast(String)
        case below(String)
    }

    public enum TimeMatch: Hashable, Sendable {
        case before(Timestamp)
        case after(Timestamp)
        /// Counted back from the time of asking.
        case withinDays(Int64)
        case olderThanDays(Int64)

        /// The same without a count of days.
        public func resolved(at now: Timestamp) -> TimeMatch {
            switch self {
            case .before, .after: self
            case .withinDays(let days): .after(now.adding(seconds: -days * 86_400))
            case .olderThanDays(let days): .before(now.adding(seconds: -days * 86_400))
            }
        }
    }

    /// A custom property. An instance without the property fits `isNot` alone.
    public enum PropertyMatch: Hashable, Sendable {
        case exists
        case isEqual(String)
        case isNot(String)
        case contains(String)
        case greaterThan(Double)
        case lessThan(Double)
    }

    /// The same with times instead of counts of days: a fan-out goes on for a while, and asks the same to its end.
    public func resolved(at now: Timestamp) -> SegmentRule {
        switch self {
        case .firstOpen(let match): .firstOpen(match.resolved(at: now))
        case .lastEngagement(let match): .lastEngagement(match.resolved(at: now))
        case .all(let rules): .all(rules.map { $0.resolved(at: now) })
        case .not(let rule): .not(rule.resolved(at: now))
        default: self
        }
    }
}

extension Segment {
    /// See `SegmentRule.resolved(at:)`.
    public func resolved(at now: Timestamp) -> Segment { Segment(rules.map { $0.resolved(at: now) }) }

    public func adding(_ rule: SegmentRule) -> Segment { Segment(rules + [rule]) }
}
