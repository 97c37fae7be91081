import Accounts
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
public import Reports
public import Timekeeping

/// What became of messages, counted, and each event for other programs.
public struct ReportEndpoints: Sendable {
    private static let eventsPerPiece = 500

    private let store: any ReportStore
    private let clock: any WallClock

    public init(store: any ReportStore, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    public var part: ConsolePart {
        ConsolePart(
            "Reports",
            endpoints: [
                ConsoleEndpoint(
                    "report.get", "GET", "projects/{project}/reports",
                    "Counts messages by the day on which they were sent, UTC, or by campaign, label or app.",
                    access: .project(.viewer), query: ReportParameters.all + [ReportParameters.pageToken],
                    answer: .json(.reference("Report")), handler: report),
                ConsoleEndpoint(
                    "report.csv", "GET", "projects/{project}/reports:csv", "The same as a table for spreadsheets.",
                    access: .project(.viewer), query: ReportParameters.all, answer: .other(["text/csv"]), handler: csv),
                ConsoleEndpoint(
                    "report.campaign", "GET", "projects/{project}/campaigns/{campaign}/report",
                    "Counts the messages of a campaign, by day.", access: .project(.viewer),
                    answer: .json(.reference("Report")), handler: campaign),
                ConsoleEndpoint(
                    "delivery.export", "GET", "projects/{project}/deliveries:export",
                    "Each event, in the columns of Google's BigQuery export.", access: .project(.viewer),
                    query: ReportParameters.days + [
                        .init("format", .choice(["csv", "jsonl"]), "csv if it is not said.")
                    ], answer: .other(["text/csv", "application/jsonl"]), handler: export),
            ], schemas: ReportDocuments.schemas)
    }

    private func report(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try ConsolePage(token: request.query(ReportParameters.pageToken.name))
        return try ReportDocuments.answer(try await rows(try ReportParameters.query(request)), after: page.key)
    }

    private func campaign(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        guard let campaign = Int64(request[path: "campaign"]), campaign > 0 else { throw .absent("campaign") }
        let query = ReportQuery(project: request.project.number, campaign: campaign)
        return try ReportDocuments.answer(try await rows(query), after: nil)
    }

    private func csv(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let query = try ReportParameters.query(request)
        let bytes = ReportDocuments.csv(try await rows(query), grouping: query.grouping)
        return .file(bytes, named: "\(request.project.id)-report.csv", contentType: "text/csv; charset=utf-8")
    }

    private func rows(_ query: ReportQuery) async throws(GoogleError) -> [ReportRow] {
        try await asking { () async throws(StoreError) in try store.report(query) }
    }

    // MARK: Export

    private func export(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let isCSV = request.query("format") != "jsonl"
        let (from, to) = try ReportParameters.times(request)
        let query = ExportQuery(
            project: request.project.number, from: from ?? Timestamp(milliseconds: 0),
            to: to ?? clock.now().adding(milliseconds: 1))
        var answer = ConsoleAnswer.file(
            isCSV ? ExportedEvent.csvHeader : [],
            named: "\(request.project.id)-deliveries.\(isCSV ? "csv" : "jsonl")",
            contentType: isCSV ? "text/csv; charset=utf-8" : "application/jsonl")
        let place = ExportCursor()
        answer.response.stream = HTTPBodyStream { [store] in
            while let page = place.page(of: query, in: store, limit: Self.eventsPerPiece) {
                let bytes = page.flatMap { isCSV ? $0.csvLine : $0.jsonLine }
                // Pages of other projects' events are empty.
                if !bytes.isEmpty { return bytes }
                guard !Task.isCancelled else { return nil }
                await Task.yield()
            }
            return nil
        }
        return answer
    }
}
