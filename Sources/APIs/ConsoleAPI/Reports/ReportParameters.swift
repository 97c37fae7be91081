import GoogleAPI
import PushModel
import Reports
import Timekeeping

/// What the queries of reports may say.
enum ReportParameters {
    static let days: [ConsoleEndpoint.Parameter] = [
        .init("from", .text(upTo: 40), "The first day (2026-12-01), or a time in RFC 3339."),
        .init("to", .text(upTo: 40), "The last day, or a time in RFC 3339."),
    ]

    static let all: [ConsoleEndpoint.Parameter] =
        days + [
            .init("groupBy", .choice(ReportQuery.Grouping.allCases.map(\.rawValue)), "day if it is not said."),
            .init("campaignId", .text(upTo: 20, pattern: "^[0-9]*$"), "Only messages of this campaign."),
            .init("label", .text(upTo: 50), "Only messages with this analytics label."),
            .init("appId", .text(upTo: 200), "Only messages to this app."),
        ]

    static let pageToken = ConsoleEndpoint.Parameter(
        "pageToken", .text(upTo: ConsolePage.maximumTokenBytes, pattern: "^[A-Za-z0-9_-]*$"),
        "The nextPageToken of the page before.")

    static func query(_ request: ConsoleRequest) throws(GoogleError) -> ReportQuery {
        let (from, to) = try times(request)
        var query = ReportQuery(project: request.project.number)
        let first = max(0, (from?.seconds ?? 0) / 86_400)
        let last = to.map { $0.adding(milliseconds: -1).seconds / 86_400 } ?? query.days.upperBound
        guard first <= last else { throw .invalidField("from", "from must not lie after to.") }
        query.days = first...last
        query.grouping = request.query("groupBy").flatMap { .init(rawValue: $0) } ?? .day
        query.label = request.query("label")
        query.app = request.query("appId")
        if let text = request.query("campaignId") {
            guard let campaign = Int64(text) else {
                throw .invalidField("campaignId", "campaignId must be the number of a campaign.")
            }
            query.campaign = campaign
        }
        return query
    }

    /// - Returns: The first moment, and that after the last one.
    static func times(_ request: ConsoleRequest) throws(GoogleError) -> (from: Timestamp?, to: Timestamp?) {
        let from = try request.query("from").map { (text) throws(GoogleError) in
            try time(text, named: "from").start
        }
        let to = try request.query("to").map { (text) throws(GoogleError) in try time(text, named: "to").end }
        return (from, to)
    }

    private static func time(_ text: String, named name: String) throws(GoogleError) -> (
        start: Timestamp, end: Timestamp
    ) {
        if let time = Timestamp(rfc3339: text) { return (time, time.adding(milliseconds: 1)) }
        guard let day = Timestamp(rfc3339: text + "T00:00:00Z") else {
            throw .invalidField(name, "\(name) must be a day as 2026-12-01 or a time as 2026-12-01T10:00:00Z.")
        }
        return (day, day.adding(seconds: 86_400))
    }
}
