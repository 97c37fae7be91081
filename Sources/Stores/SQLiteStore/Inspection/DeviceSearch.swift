import PushCore
import PushModel
import Reports

/// The registrations of one page, and where the next one begins.
struct FoundRegistrations {
    var ids: [Int64]
    var next: Int64?

    init(ids: [Int64], next: Int64?) {
        self.ids = ids
        self.next = next
    }

    /// - Parameter ids: One more than the limit when there is another page.
    init(_ ids: [Int64], limit: Int) {
        self.ids = Array(ids.prefix(limit))
        next = ids.count > limit ? self.ids.last : nil
    }
}

/// Looks for registrations of a project, newest first.
///
/// App, version and project have no index, which every registration would pay for: a page looks at a stretch of the
/// table, and says where the next one goes on.
struct DeviceSearch {
    let connection: Connection
    let query: DeviceQuery
    /// Numbers of registrations that a page looks at, about ten milliseconds of work.
    var stretch: Int64 = 50_000

    private var before: Int64 { query.place?.value ?? .max }
    private var project: UInt64 { query.project.value }
    /// One more, which tells whether there is another page.
    private var limit: Int { query.limit + 1 }

    func found() throws(StoreError) -> FoundRegistrations {
        switch query.filter {
        case .all:
            return try scanned { (range) throws(StoreError) in
                try connection.all(
                    """
                    SELECT id FROM registrations WHERE id >= ? AND id < ? AND project = ? ORDER BY id DESC LIMIT ?
                    """, range.lowerBound, range.upperBound, project, limit
                ) { $0.integer(0) }
            }
        case .app(let text):
            guard let number = try number(of: text) else { return FoundRegistrations(ids: [], next: nil) }
            return try scanned { (range) throws(StoreError) in
                try connection.all(
                    """
                    SELECT id FROM registrations
                    WHERE id >= ? AND id < ? AND (app = ? OR bundle = ?) AND project = ? ORDER BY id DESC LIMIT ?
                    """, range.lowerBound, range.upperBound, number, number, project, limit
                ) { $0.integer(0) }
            }
        case .version(let text):
            guard let number = try number(of: text) else { return FoundRegistrations(ids: [], next: nil) }
            return try scanned { (range) throws(StoreError) in
                try connection.all(
                    """
                    SELECT id FROM registrations
                    WHERE id >= ? AND id < ? AND app_version = ? AND project = ? ORDER BY id DESC LIMIT ?
                    """, range.lowerBound, range.upperBound, number, project, limit
                ) { $0.integer(0) }
            }
        case .registrations(let ids):
            return FoundRegistrations(ids.map(\.value).filter { $0 < before }.sorted(by: >), limit: query.limit)
        case .fid(let fid): return FoundRegistrations(try registrations(ofInstance: fid), limit: query.limit)
        case .topic: return FoundRegistrations(ids: [], next: nil)
        }
    }

    private func registrations(ofInstance fid: String) throws(StoreError) -> [Int64] {
        try connection.all(
            """
            SELECT r.id FROM instances i JOIN registrations r ON r.instance = i.serial
            WHERE i.fid = ? AND i.project = ? AND r.id < ? ORDER BY r.id DESC LIMIT ?
            """, InstanceName(fid), project, before, limit
        ) { $0.integer(0) }
    }

    private func number(of text: String) throws(StoreError) -> Int64? {
        try connection.first("SELECT id FROM texts WHERE text = ?", text) { $0.integer(0) }
    }

    /// - Parameter read: Gives those of a stretch of numbers.
    private func scanned(
        _ read: (Range<Int64>) throws(StoreError) -> [Int64]
    ) throws(StoreError) -> FoundRegistrations {
        let newest = try connection.integer("SELECT max(id) FROM registrations WHERE id < ?", before)
        let start = max(0, newest - stretch + 1)
        let found = FoundRegistrations(try read(start..<newest + 1), limit: query.limit)
        guard found.next == nil else { return found }
        let hasOlder = try connection.integer("SELECT EXISTS (SELECT 1 FROM registrations WHERE id < ?)", start) != 0
        return FoundRegistrations(ids: found.ids, next: hasOlder ? start : nil)
    }
}
