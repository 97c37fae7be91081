import PushCore
import PushModel
import Timekeeping

/// A segment as a condition of SQL over `registrations r`, with what the condition needs beside it.
///
/// Texts become numbers before the query runs: which versions are at least 2.1 is decided here, over the few that occur.
struct SegmentQuery {
    /// Fewer instances than these with a property are looked up one by one; else all registrations are passed through.
    private static let fewInstances = 20_000

    private let connection: Connection
    private let project: ProjectNumber
    private let now: Timestamp
    private(set) var condition = ""
    private(set) var values: [any SQLiteValue] = []
    private var needsInstance = false
    private var needsDevice = false
    /// The rows to start from, and what they have in common; `nil` when all registrations are passed through.
    private var driver: (table: String, condition: String, values: [any SQLiteValue])?

    init(
        _ segment: Segment, of project: ProjectNumber, at now: Timestamp, on connection: Connection
    ) throws(StoreError) {
        self.connection = connection
        self.project = project
        self.now = now
        driver = try Self.driver(segment, on: connection)
        condition = try all(segment.rules)
    }

    /// Whether the ids of registrations need not be passed through piece by piece.
    var isDriven: Bool { driver != nil }

    /// Everything after `SELECT …`, up to the condition on ids, which the caller adds with its values.
    func from(_ ids: String, _ idValues: [any SQLiteValue]) -> (sql: String, values: [any SQLiteValue]) {
        var sql = " FROM "
        if let driver { sql += driver.table + " CROSS JOIN " }
        sql += "registrations r"
        if needsInstance { sql += " LEFT JOIN instances i ON i.serial = r.instance" }
        if needsDevice { sql += " LEFT JOIN devices d ON d.android_id = r.android_id" }
        sql += " WHERE "
        if let driver { sql += driver.condition + " AND " }
        sql += "\(ids) AND r.project = ? AND r.ending IS NULL AND (\(condition))"
        return (sql, (driver?.values ?? []) + idValues + [Int64(bitPattern: project.value)] + values)
    }

    /// A rule that holds for few, if there is one that everybody must fulfil.
    private static func driver(
        _ segment: Segment, on connection: Connection
    ) throws(StoreError) -> (table: String, condition: String, values: [any SQLiteValue])? {
        for rule in segment.rules {
            switch rule {
            case .registration(let id):
                return ("(SELECT ? AS only) one", "r.id = one.only", [id.value])
            case .property(let name, .isEqual(let value)):
                guard let number = try connection.textID(name) else { continue }
                let count = try connection.integer(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM instance_properties WHERE name = ? AND value = ? LIMIT ?)
                    """, number, value, fewInstances + 1)
                guard count <= fewInstances else { continue }
                return (
                    "instance_properties q", "q.name = ? AND q.value = ? AND r.instance = q.instance", [number, value]
                )
            default: continue
            }
        }
        return nil
    }

    // MARK: Rules

    private mutating func all(_ rules: [SegmentRule]) throws(StoreError) -> String {
        var conditions: [String] = []
        for rule in rules { conditions.append(try condition(of: rule)) }
        return conditions.isEmpty ? "1" : conditions.map { "(\($0))" }.joined(separator: " AND ")
    }

    private mutating func condition(of rule: SegmentRule) throws(StoreError) -> String {
        switch rule {
        case .app(let ids): return "r.app IN (\(try numbers(ids.map(\.text))))"
        case .version(let match): return try version(match)
        case .language(let names): return try languages(names)
        case .country(let names): return "ifnull(r.country, 0) IN (\(try numbers(names)))"
        case .firstOpen(let match):
            needsInstance = true
            return time("ifnull(i.created_at, r.created_at)", match)
        case .lastEngagement(let match):
            needsInstance = true
            needsDevice = true
            return time("max(ifnull(i.engaged_at, 0), ifnull(d.seen_at, 0), r.confirmed_at)", match)
        case .property(let name, let match): return try property(name, match)
        case .all(let rules): return try all(rules)
        case .not(let rule): return "NOT (\(try condition(of: rule)))"
        case .isApple(let isApple):
            let kinds = "\(RegistrationKind.appleToken.rawValue), \(RegistrationKind.appleFID.rawValue)"
            return "r.kind \(isApple ? "IN" : "NOT IN") (\(kinds))"
        case .timeZone(let names, let orUnknown):
            return "ifnull(r.time_zone, 0) IN (\(orUnknown ? "0, " : "")\(try numbers(names)))"
        case .registration(let id):
            values.append(id.value)
            return "r.id = ?"
        }
    }

    /// The numbers of texts, as far as they occur. Never an empty list, and never 0, which stands for no text.
    private func numbers(_ texts: [String]) throws(StoreError) -> String {
        var numbers = ["-1"]
        for text in texts where !text.isEmpty {
            if let id = try connection.textID(text) { numbers.append(String(id)) }
        }
        return numbers.joined(separator: ", ")
    }

    private func languages(_ names: [String]) throws(StoreError) -> String {
        let tags = names.compactMap { LocaleTag($0) }
        let plain = tags.filter { $0.country == nil }.map(\.language)
        var conditions = ["ifnull(r.language, 0) IN (\(try numbers(plain)))"]
        for tag in tags {
            guard let country = tag.country else { continue }
            conditions.append(
                "ifnull(r.language, 0) IN (\(try numbers([tag.language]))) "
                    + "AND ifnull(r.country, 0) IN (\(try numbers([country])))")
        }
        return conditions.map { "(\($0))" }.joined(separator: " OR ")
    }

    private func version(_ match: SegmentRule.VersionMatch) throws(StoreError) -> String {
        let occurring = try connection.all(
            """
            SELECT v.value, t.text FROM segment_values v JOIN texts t ON t.id = v.value
            WHERE v.project = ? AND v.kind = ?
            """, project.value, SegmentValue.version.rawValue
        ) { (id: $0.integer(0), text: $0.text(1)) }
        let fitting = occurring.filter { match.fits($0.text) }.map { String($0.id) }
        let list = (["-1"] + fitting).joined(separator: ", ")
        // An app that did not tell its version has another one than any that is named.
        if case .isNot = match { return "r.app_version = 0 OR r.app_version IN (\(list))" }
        return "r.app_version IN (\(list))"
    }

    private mutating func time(_ column: String, _ match: SegmentRule.TimeMatch) -> String {
        switch match.resolved(at: now) {
        case .before(let time):
            values.append(time.milliseconds)
            return "\(column) < ?"
        case .after(let time):
            values.append(time.milliseconds)
            return "\(column) >= ?"
        case .withinDays, .olderThanDays: return "1"
        }
    }

    private mutating func property(_ name: String, _ match: SegmentRule.PropertyMatch) throws(StoreError) -> String {
        guard let number = try connection.textID(name) else {
            if case .isNot = match { return "1" }
            return "0"
        }
        var wanted = ""
        switch match {
        case .exists: break
        case .isEqual(let value), .isNot(let value):
            wanted = " AND p.value = ?"
            values.append(value)
        case .contains(let value):
            wanted = " AND instr(lower(p.value), lower(?)) > 0"
            values.append(value)
        case .greaterThan(let value):
            wanted = " AND p.number > ?"
            values.append(value)
        case .lessThan(let value):
            wanted = " AND p.number < ?"
            values.append(value)
        }
        var isNegated = false
        if case .isNot = match { isNegated = true }
        return (isNegated ? "NOT " : "")
            + "EXISTS (SELECT 1 FROM instance_properties p WHERE p.instance = r.instance AND p.name = \(number)\(wanted))"
    }
}

/// What is noted of the values that occur in a project.
enum SegmentValue: Int64 {
    case version = 1
    case timeZone = 2
    /// That an app registered which did not tell its version.
    case unversioned = 3
}

extension Connection {
    /// The number of a text that occurs.
    fileprivate func textID(_ text: String) throws(StoreError) -> Int64? {
        try first("SELECT id FROM texts WHERE text = ?", text) { $0.integer(0) }
    }
}

extension SegmentRule.VersionMatch {
    /// - Parameter version: Not empty.
    fileprivate func fits(_ version: String) -> Bool {
        guard !version.isEmpty else { return false }
        switch self {
        case .isEqual(let value): return version.lowercased() == value.lowercased()
        case .isNot(let value): return version.lowercased() != value.lowercased()
        case .contains(let value): return version.lowercased().holds(value.lowercased())
        case .matches(let pattern): return version.lowercased().fits(pattern.lowercased())
        case .atLeast(let value): return AppVersion(version) >= AppVersion(value)
        case .below(let value): return AppVersion(version) < AppVersion(value)
        }
    }
}

extension String {
    fileprivate func holds(_ part: String) -> Bool { fits("*\(part.filter { $0 != "*" })*") }

    /// Whether the whole text fits a pattern in which `*` stands for any text, in time proportional to both lengths'
    /// product.
    fileprivate func fits(_ pattern: String) -> Bool {
        let (text, pattern) = (Array(utf8), Array(pattern.utf8))
        var (place, wanted) = (0, 0)
        var retry: (place: Int, wanted: Int)?
        while place < text.count {
            if wanted < pattern.count, pattern[wanted] == UInt8(ascii: "*") {
                retry = (place, wanted)
                wanted += 1
            } else if wanted < pattern.count, pattern[wanted] == text[place] {
                place += 1
                wanted += 1
            } else if let (start, star) = retry {
                place = start + 1
                retry = (place, star)
                wanted = star + 1
            } else {
                return false
            }
        }
        return pattern[wanted...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
