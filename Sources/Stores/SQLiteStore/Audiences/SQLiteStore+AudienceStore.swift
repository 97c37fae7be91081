public import Campaigns
public import PushCore
public import PushModel
import Timekeeping

extension SQLiteStore: AudienceStore {
    /// Up to so many registrations of the store are all counted.
    private static let countedRegistrations: Int64 = 200_000
    /// Of more, this many pieces of this many are.
    private static let samples: Int64 = 20
    private static let sampledRegistrations: Int64 = 5_000

    public func audience(of segment: Segment, in project: ProjectNumber) throws(StoreError) -> Audience {
        let now = clock.now()
        return try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                let query = try SegmentQuery(segment, of: project, at: now, on: connection)
                let newest = try connection.integer("SELECT max(id) FROM registrations")
                if query.isDriven || newest <= Self.countedRegistrations {
                    return try Self.count(query, after: 0, through: newest, on: connection)
                }
                return try Self.reckon(query, newest: newest, on: connection)
            }
        }
    }

    private static func count(
        _ query: SegmentQuery, after: Int64, through: Int64, on connection: Connection
    ) throws(StoreError) -> Audience {
        let from = query.from("r.id > ? AND r.id <= ?", [after, through])
        let sql = "SELECT count(*), count(DISTINCT ifnull(r.instance, -r.id))" + from.sql
        let counts = try connection.all(composed: sql, from.values) { (Int($0.integer(0)), Int($0.integer(1))) }
        return Audience(devices: counts.first?.1 ?? 0, registrations: counts.first?.0 ?? 0, isExact: true)
    }

    private static func reckon(
        _ query: SegmentQuery, newest: Int64, on connection: Connection
    ) throws(StoreError) -> Audience {
        var sum = Audience(devices: 0, registrations: 0, isExact: false)
        let distance = newest / samples
        for sample in 0..<samples {
            let start = sample * distance
            let part = try count(query, after: start, through: start + sampledRegistrations, on: connection)
            sum.devices += part.devices
            sum.registrations += part.registrations
        }
        let factor = Double(newest) / Double(samples * sampledRegistrations)
        sum.devices = Int((Double(sum.devices) * factor).rounded())
        sum.registrations = Int((Double(sum.registrations) * factor).rounded())
        return sum
    }

    public func timeZones(of project: ProjectNumber) throws(StoreError) -> [String] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT t.text FROM segment_values v JOIN texts t ON t.id = v.value
                WHERE v.project = ? AND v.kind = ? LIMIT 1000
                """, project.value, SegmentValue.timeZone.rawValue
            ) { $0.text(0) }
        }
    }

    // MARK: Properties

    public func properties(of registration: Registration) throws(StoreError) -> [String: String] {
        try readers.read { (connection) throws(StoreError) in
            let pairs = try connection.all(
                """
                SELECT t.text, p.value FROM instances i JOIN instance_properties p ON p.instance = i.serial
                    JOIN texts t ON t.id = p.name
                WHERE i.fid = ? AND i.project = ?
                """, InstanceName(registration.fid), registration.project.value
            ) { ($0.text(0), $0.text(1)) }
            return Dictionary(pairs, uniquingKeysWith: { $1 })
        }
    }

    public func setProperties(_ changes: [String: String?], of registration: Registration) async throws(StoreError) {
        guard !registration.fid.isEmpty else { throw .notFound("The registration has no app instance.") }
        try await writer.write { (context) throws(StoreError) in
            try context.setProperties(changes, fid: registration.fid, in: registration.project)
        }
    }
}

/// What devices tell of themselves at check-in.
extension SQLiteStore {
    public func noteLocale(_ locale: DeviceLocale, of androidID: UInt64) async throws(StoreError) {
        guard !locale.isEmpty, try knownLocale(of: androidID) != locale else { return }
        try await writer.write { (context) throws(StoreError) in try context.noteLocale(locale, of: androidID) }
    }

    private func knownLocale(of androidID: UInt64) throws(StoreError) -> DeviceLocale? {
        try readers.read { (connection) throws(StoreError) in
            let row = try connection.first(
                "SELECT language, country, time_zone FROM devices WHERE android_id = ?", androidID
            ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
            guard let (language, country, zone) = row else { return nil }
            let name = try texts.text(language, on: connection)
            let area = try texts.text(country, on: connection)
            let timeZone = try texts.text(zone, on: connection)
            return DeviceLocale(
                locale: area.isEmpty ? name : "\(name)-\(area)", timeZone: timeZone.isEmpty ? nil : timeZone)
        }
    }
}
