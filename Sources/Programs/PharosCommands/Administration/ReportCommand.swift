import ConsoleAPI
import JSON
import PushCore
import PushModel
import Reports
import SQLiteStore
import Timekeeping

extension AdministrationCommand {
    /// `pharos report`
    static let reportCounts = AdministrationCommand(
        "report", "Counts what became of messages.",
        options: [
            .project,
            .value(
                "by", "WHAT",
                "What the rows are: \(ReportQuery.Grouping.allCases.map(\.rawValue).joined(separator: ", ")).",
                default: "day"),
            .value("from", "DAY", "The first day on which messages were sent, UTC: 2026-12-01."),
            .value("to", "DAY", "The last day."), .value("label", "LABEL", "Only messages with this analytics label."),
            .value("app", "APP", "Only messages to this app id."),
            .value("campaign", "NUMBER", "Only messages of this campaign."),
            .flag("csv", "Print a table for spreadsheets."),
        ],
        discussion: "A day is that on which a message was sent, whenever it was opened."
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let query = try query(arguments, project)
        let rows = try await administration.ask { (store) throws(StoreError) in try store.report(query) }
        let json = JSONValue.object(ReportDocuments.json(rows))
        guard !arguments.has("csv") else {
            let text = String(decoding: ReportDocuments.csv(rows, grouping: query.grouping), as: UTF8.self)
            return CommandReport(text: text, json: json)
        }
        return CommandReport(text: rows.isEmpty ? "Nothing was sent in these days." : table(rows, query), json: json)
    }

    private static func query(
        _ arguments: CommandArguments, _ project: Project
    ) throws(CommandFailure) -> ReportQuery {
        var query = ReportQuery(project: project.number)
        guard let grouping = ReportQuery.Grouping(rawValue: arguments.value("by") ?? "day") else {
            throw .usage("--by must be day, campaign, label or app.", nextStep: "See: pharos report --help")
        }
        query.grouping = grouping
        let first = try day(arguments, "from") ?? query.days.lowerBound
        let last = try day(arguments, "to") ?? query.days.upperBound
        guard first <= last else {
            throw .usage("--from lies after --to.", nextStep: "Give the earlier day first.")
        }
        query.days = first...last
        query.label = arguments.value("label")
        query.app = arguments.value("app")
        if let text = arguments.value("campaign") {
            guard let campaign = Int64(text) else {
                throw .usage("--campaign must be a number.", nextStep: "See: pharos report --by campaign")
            }
            query.campaign = campaign
        }
        return query
    }

    private static func day(_ arguments: CommandArguments, _ name: String) throws(CommandFailure) -> Int64? {
        guard let text = arguments.value(name) else { return nil }
        guard let time = Timestamp(rfc3339: text + "T00:00:00Z"), time.seconds >= 0 else {
            throw .usage("--\(name) must be a day, not “\(text)”.", nextStep: "For example: --\(name) 2026-12-01")
        }
        return time.seconds / 86_400
    }

    private static func table(_ rows: [ReportRow], _ query: ReportQuery) -> String {
        var totals = ReportCounts()
        for row in rows { totals += row.counts }
        let heading = [
            query.grouping.rawValue, "targeted", "sent", "accepted", "received", "displayed", "opened", "dismissed",
            "failed", "why",
        ]
        let lines = (rows + [ReportRow(key: "all", counts: totals)]).map { row in
            let counts = row.counts
            let numbers = [
                counts.targeted, counts.sent, counts.accepted, counts.received, counts.displayed, counts.opened,
                counts.dismissed, counts.failed,
            ]
            let reasons = counts.failures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            return [row.key.isEmpty ? "(none)" : row.key] + numbers.map { String($0) } + [
                reasons.joined(separator: ", ")
            ]
        }
        return CommandReport.table([heading] + lines)
    }
}
