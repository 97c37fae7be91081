public import Timekeeping

/// One time at which a campaign is to be sent.
public struct Occurrence: Hashable, Sendable {
    /// Who is sent to then.
    public enum Audience: Hashable, Sendable {
        case everyone
        /// Apple apps, which show the message at their own time: it is sent ahead.
        case apple
        /// All others whose time zone is one of these; `UTC` stands for those who told none.
        case zones([String])
    }

    public var at: Timestamp
    /// What clocks show then: those of the schedule's zone, or the recipients'.
    public var local: LocalDateTime
    public var audience: Audience

    public init(at: Timestamp, local: LocalDateTime, audience: Audience) {
        self.at = at
        self.local = local
        self.audience = audience
    }
}

/// The occurrences of a published schedule.
public struct Occurrences {
    /// Before a local time comes in the first time zone of the world, UTC+14, with an hour to get there.
    static let leadSeconds: Int64 = 15 * 3600
    /// After it has come in the last one, UTC−12.
    static let lastZoneSeconds: Int64 = 12 * 3600
    /// A day that a zone skipped, and the way between a local time and its moment.
    private static let marginSeconds: Int64 = 3 * 86_400

    public let schedule: Schedule
    private let publishedAt: Timestamp
    private let streams: [Stream]

    /// Local times and their moments, for those who share them.
    private struct Stream {
        enum Reader {
            case everyone, apple
            case zone(String)
        }

        var reader: Reader
        var rules: ZoneRules

        func instant(of local: LocalDateTime) -> Timestamp {
            if case .apple = reader { return Timestamp(seconds: local.secondsSince1970 - Occurrences.leadSeconds) }
            return rules.instant(of: local)
        }

        var audience: Occurrence.Audience {
            switch reader {
            case .everyone: .everyone
            case .apple: .apple
            case .zone(let name): .zones([name])
            }
        }
    }

    /// - Parameters:
    ///   - recipientZones: The zones of devices that are not Apple's. Unknown names are left out.
    /// - Returns: `nil` when the schedule's zone is not known.
    public init?(_ schedule: Schedule, publishedAt: Timestamp, zones: any TimeZones, recipientZones: [String]) {
        self.schedule = schedule
        self.publishedAt = publishedAt
        switch schedule.zone {
        case .named(let name):
            guard let rules = zones.rules(named: name) else { return nil }
            streams = [Stream(reader: .everyone, rules: rules)]
        case .recipient:
            let others = Set(recipientZones + ["UTC"]).sorted().compactMap { name in
                zones.rules(named: name).map { Stream(reader: .zone(name), rules: $0) }
            }
            streams = [Stream(reader: .apple, rules: .utc)] + others
        }
    }

    /// The first one after the publication. What is sent to Apple apps ahead goes out at once when it is late for that,
    /// as long as its time has not come everywhere.
    public func first() -> Occurrence? {
        if case .now = schedule.repetition { return now(publishedAt) }
        if schedule.zone == .recipient {
            let earliest = publishedAt.adding(seconds: -Self.leadSeconds - Self.lastZoneSeconds)
            if let late = next(in: streams[0], after: earliest), late.at <= publishedAt {
                return Occurrence(at: publishedAt, local: late.local, audience: .apple)
            }
        }
        return next(after: publishedAt)
    }

    private func now(_ time: Timestamp) -> Occurrence? {
        streams.first.map { Occurrence(at: time, local: $0.rules.local(time), audience: .everyone) }
    }

    /// The first one after a time.
    public func next(after time: Timestamp) -> Occurrence? {
        let candidates = streams.compactMap { stream in next(in: stream, after: time).map { ($0, stream) } }
        guard let earliest = candidates.map(\.0).min(by: { $0.at < $1.at }) else { return nil }
        guard case .zones = earliest.audience else { return earliest }
        let names = candidates.filter { $0.0.at == earliest.at && $0.0.local == earliest.local }.compactMap {
            if case .zone(let name) = $0.1.reader { name } else { nil }
        }
        return Occurrence(at: earliest.at, local: earliest.local, audience: .zones(names))
    }

    /// The next few after a time.
    public func following(_ time: Timestamp, count: Int) -> [Occurrence] {
        var found: [Occurrence] = []
        var last = time
        while found.count < count, let next = next(after: last) {
            found.append(next)
            last = next.at
        }
        return found
    }

    private func next(in stream: Stream, after time: Timestamp) -> Occurrence? {
        var local = stream.rules.local(time).adding(seconds: -Self.marginSeconds)
        let firstDay = stream.rules.local(publishedAt).date
        while let next = schedule.next(after: local, firstDay: firstDay) {
            let at = stream.instant(of: next)
            if at > time { return Occurrence(at: at, local: next, audience: stream.audience) }
            local = next
        }
        return nil
    }
}
