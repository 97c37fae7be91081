import GoogleAPI
package import JSON
package import Reports

/// Reports as JSON and CSV.
package enum ReportDocuments {
    private static let steps = [
        "targeted", "sent", "accepted", "received", "displayed", "opened", "dismissed", "failed",
    ]

    /// Of one page.
    static let maximumRows = 1_000

    static var schemas: [String: ConsoleSchema] {
        let counts: [ConsoleSchema.Member] =
            steps.map { .required($0, .count) } + [
                .required("failures", .map(.count, maximumMembers: 100), "By reason.")
            ]
        return [
            "ReportCounts": .object(counts),
            "ReportRow": .object([.required("key", .text(), "A day, campaign, label or app id.")] + counts),
            "Report": .object([
                .required("rows", .list(.reference("ReportRow"), maximumItems: maximumRows)),
                .required("totals", .reference("ReportCounts"), "Of all pages."),
                .optional("nextPageToken", .text(1), "Absent on the last page."),
            ]),
        ]
    }

    /// - Parameter key: Of the last row of the page before.
    static func answer(_ rows: [ReportRow], after key: String?) throws(GoogleError) -> ConsoleAnswer {
        var rest = rows[...]
        if let key {
            guard let place = rows.firstIndex(where: { $0.key == key }) else { throw ConsolePage.badToken }
            rest = rows[(place + 1)...]
        }
        let page = rest.prefix(maximumRows)
        var object = json(page, totalsOf: rows)
        if page.count < rest.count, let last = page.last {
            object["nextPageToken"] = .string(ConsolePage.token(after: last.key))
        }
        return .json(object)
    }

    package static func json(_ rows: [ReportRow]) -> JSONObject { json(rows[...], totalsOf: rows) }

    private static func json(_ page: ArraySlice<ReportRow>, totalsOf rows: [ReportRow]) -> JSONObject {
        var totals = ReportCounts()
        for row in rows { totals += row.counts }
        return [
            "rows": .array(
                page.map { row in
                    var object: JSONObject = ["key": .string(row.key)]
                    for member in json(row.counts) { object[member.name] = member.value }
                    return .object(object)
                }),
            "totals": .object(json(totals)),
        ]
    }

    static func json(_ counts: ReportCounts) -> JSONObject {
        var object = JSONObject(zip(steps, values(counts)).map { ($0, .integer($1)) })
        object["failures"] = .object(
            JSONObject(counts.failures.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
        return object
    }

    private static func values(_ counts: ReportCounts) -> [Int] {
        [
            counts.targeted, counts.sent, counts.accepted, counts.received, counts.displayed, counts.opened,
            counts.dismissed, counts.failed,
        ]
    }

    package static func csv(_ rows: [ReportRow], grouping: ReportQuery.Grouping) -> [UInt8] {
        let reasons = Set(rows.flatMap { $0.counts.failures.keys }).sorted()
        var lines = [([grouping.rawValue] + steps + reasons.map { "failed " + $0 }).joined(separator: ",")]
        for row in rows {
            let numbers = values(row.counts) + reasons.map { row.counts.failures[$0] ?? 0 }
            lines.append(([CSV.field(row.key)] + numbers.map { String($0) }).joined(separator: ","))
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }
}
