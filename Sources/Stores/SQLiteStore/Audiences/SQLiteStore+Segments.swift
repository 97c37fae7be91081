public import PushCore
public import PushModel
import Timekeeping

/// Whom a segment means, read in the order of registrations: a fan-out can go on from any place.
extension SQLiteStore {
    public func members(
        of segment: Segment, in project: ProjectNumber, after id: RegistrationID?, limit: Int, examining budget: Int
    ) throws(StoreError) -> FanOutChunk {
        let after = id?.value ?? 0
        let now = clock.now()
        return try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                let query = try SegmentQuery(segment, of: project, at: now, on: connection)
                if query.isDriven {
                    let found = try Self.ids(query, "r.id > ?", [after], limit: limit, on: connection)
                    return FanOutChunk(members: found, cursor: found.last, isLast: found.count < limit)
                }
                let (end, overflow) = after.addingReportingOverflow(Int64(max(budget, 1)))
                let newest = try connection.integer("SELECT max(id) FROM registrations")
                let through = overflow ? newest : min(end, newest)
                let found = try Self.ids(
                    query, "r.id > ? AND r.id <= ?", [after, through], limit: limit, on: connection)
                if found.count >= limit { return FanOutChunk(members: found, cursor: found.last, isLast: false) }
                return FanOutChunk(
                    members: found, cursor: RegistrationID(value: max(through, after)), isLast: through >= newest)
            }
        }
    }

    private static func ids(
        _ query: SegmentQuery, _ range: String, _ values: [any SQLiteValue], limit: Int, on connection: Connection
    ) throws(StoreError) -> [RegistrationID] {
        let from = query.from(range, values)
        return try connection.all(composed: "SELECT r.id\(from.sql) ORDER BY r.id LIMIT \(max(limit, 0))", from.values)
        {
            RegistrationID(value: $0.integer(0))
        }
    }
}
