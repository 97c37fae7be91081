import Campaigns
import JSON

extension Command {
    /// `pharos campaign …`: the console's campaigns for scripts.
    static let campaigns: [Command] = [
        campaign(
            "list", "Lists the campaigns of a project, newest first.",
            options: [
                .value("page-token", "TOKEN", "The page after an earlier one."),
                .value("state", "STATE", "Only those in this state: \(stateNames)."),
            ]
        ) { (console, arguments) async throws(CommandFailure) in
            let next = arguments.value("page-token").map { "pageToken=\($0)" }
            let state = try arguments.value("state").map(stateQuery)
            let query = [next, state].compactMap(\.self).joined(separator: "&")
            let answer = try await console.call("GET", query.isEmpty ? "campaigns" : "campaigns?" + query)
            show(answer, arguments, rows: answer["campaigns"]?.array ?? [], columns: CampaignTable.campaigns)
        },
        campaign("show", "Shows a campaign.", operands: ["CAMPAIGN"]) {
            (console, arguments) async throws(CommandFailure) in
            let answer = try await console.call("GET", try one(arguments))
            StandardStreams.printLine(text(answer, arguments))
        },
        campaign(
            "create", "Keeps a draft that is written as JSON.", operands: ["[FILE]"],
            discussion: """
                Without a file it reads standard input. Example:
                  {"name":"Spring","notification":{"title":"Hello","body":"World"},
                   "target":{"topic":"news"},"schedule":{"kind":"DAILY","timeOfDay":"09:00","timeZone":"Europe/Berlin"}}
                """
        ) { (console, arguments) async throws(CommandFailure) in
            let answer = try await console.call("POST", "campaigns", body: try file(arguments.operands.first))
            show(answer, arguments, rows: [.object(answer)], columns: CampaignTable.campaigns)
        },
        change("publish", "Lets a draft go out at its time."),
        change("pause", "Sends nothing until the campaign is resumed."),
        change("resume", "Goes on with a paused campaign."),
        change("cancel", "Ends a campaign; what was accepted goes on."),
        change("duplicate", "Makes a draft with the same content."),
        campaign("estimate", "Counts whom a campaign reaches now.", operands: ["CAMPAIGN"]) {
            (console, arguments) async throws(CommandFailure) in
            let campaign = try await console.call("GET", try one(arguments))
            let target: JSONObject = ["target": campaign["target"] ?? .null]
            let answer = try await console.call("POST", "campaigns:estimate", body: target)
            show(answer, arguments, rows: [.object(answer)], columns: CampaignTable.estimate)
        },
        campaign(
            "test", "Sends a campaign's message to single devices at once.", operands: ["CAMPAIGN"],
            options: [.value("to", "TOKEN_OR_FID", "A device.", repeatable: true)]
        ) { (console, arguments) async throws(CommandFailure) in
            let campaign = try await console.call("GET", try one(arguments))
            let body: JSONObject = [
                "campaign": .object(campaign), "targets": .array(arguments.allValues("to").map { .string($0) }),
            ]
            let answer = try await console.call("POST", "campaigns:test", body: body)
            let rows = answer["results"]?.array ?? []
            show(answer, arguments, rows: rows, columns: CampaignTable.tests)
            guard rows.allSatisfy({ $0["error"] == nil }) else {
                throw .failed("Not every device got it.", nextStep: "The list above says why.")
            }
        },
        campaign("runs", "Lists when a campaign was due and what came of it.", operands: ["CAMPAIGN"]) {
            (console, arguments) async throws(CommandFailure) in
            let answer = try await console.call("GET", try one(arguments) + "/runs")
            show(answer, arguments, rows: answer["runs"]?.array ?? [], columns: CampaignTable.runs)
        },
    ]

    private static let stateNames = Campaign.State.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")

    private static func stateQuery(_ name: String) throws(CommandFailure) -> String {
        guard let state = Campaign.State(rawValue: name.uppercased()) else {
            throw .usage("“\(name)” is no state of campaigns.", nextStep: "There are: \(stateNames).")
        }
        return "state=" + state.rawValue
    }

    private static func campaign(
        _ verb: String, _ summary: String, operands: [String] = [], options: [CommandOption] = [],
        discussion: String = "",
        run: @escaping @Sendable (ConsoleClient, CommandArguments) async throws(CommandFailure) -> Void
    ) -> Command {
        Command(
            "campaign " + verb, summary, operands: operands, options: ConsoleClient.options + options,
            discussion: discussion
        ) { (arguments) async throws(CommandFailure) in
            let console = try ConsoleClient(arguments)
            defer { console.shutDown() }
            try await run(console, arguments)
        }
    }

    private static func change(_ verb: String, _ summary: String) -> Command {
        campaign(verb, summary, operands: ["CAMPAIGN"]) { (console, arguments) async throws(CommandFailure) in
            let answer = try await console.call("POST", try one(arguments) + ":" + verb)
            show(answer, arguments, rows: [.object(answer)], columns: CampaignTable.campaigns)
        }
    }

    private static func one(_ arguments: CommandArguments) throws(CommandFailure) -> String {
        let id = arguments.operands.first ?? ""
        guard !id.isEmpty, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .usage("“\(id)” is no campaign's number.", nextStep: "See: pharos campaign list")
        }
        return "campaigns/" + id
    }

    private static func file(_ path: String?) throws(CommandFailure) -> JSONObject {
        let bytes: [UInt8]
        if let path {
            bytes = try PrivateFile.read(path)
        } else {
            bytes = StandardStreams.readInput(limit: 1 << 20) ?? []
        }
        guard let object = (try? JSONValue(parsing: bytes))?.object else {
            throw .usage("The campaign is no JSON object.", nextStep: "See: pharos campaign create --help")
        }
        return object
    }

    private static func text(_ answer: JSONObject, _ arguments: CommandArguments) -> String {
        let value = JSONValue.object(answer)
        return arguments.wantsJSON ? value.text : String(decoding: value.prettyPrinted, as: UTF8.self)
    }

    private static func show(
        _ answer: JSONObject, _ arguments: CommandArguments, rows: [JSONValue], columns: [CampaignTable.Column]
    ) {
        guard !arguments.wantsJSON else { return StandardStreams.printLine(JSONValue.object(answer).text) }
        StandardStreams.printLine(CampaignTable(columns: columns).text(rows))
        if let next = answer["nextPageToken"]?.string { StandardStreams.printError("More: --page-token \(next)") }
    }
}

/// Rows for people.
struct CampaignTable {
    struct Column: Sendable {
        var title: String
        var value: @Sendable (JSONValue) -> JSONValue?
    }

    private static let longestValue = 60

    static let campaigns = [
        column("ID", "campaignId"), column("STATE", "state"), column("NAME", "name"), column("NEXT", "nextRunAt"),
        column("RUNS", "runs"), Column(title: "SENT") { $0["counts"]?["sent"] },
        Column(title: "OPENED") { $0["counts"]?["opened"] }, column("REASON", "stateReason"),
    ]
    static let estimate = [
        column("DEVICES", "devices"), column("REGISTRATIONS", "registrations"), column("EXACT", "isExact"),
    ]
    static let tests = [
        column("TARGET", "target"), column("MESSAGE", "messageId"),
        Column(title: "ERROR") { $0["error"]?["status"] }, Column(title: "TEXT") { $0["error"]?["message"] },
    ]
    static let runs = [
        column("RUN", "number"), column("DUE", "dueAt"), column("LOCAL", "localTime"), column("RESULT", "result"),
        column("MISSED", "missed"), Column(title: "TARGETED") { $0["counts"]?["targeted"] },
        Column(title: "SENT") { $0["counts"]?["sent"] }, column("REASON", "reason"),
    ]

    let columns: [Column]

    private static func column(_ title: String, _ name: String) -> Column { Column(title: title) { $0[name] } }

    func text(_ rows: [JSONValue]) -> String {
        let cells = [columns.map(\.title)] + rows.map { row in columns.map { cell($0.value(row)) } }
        let widths = columns.indices.map { place in cells.map { $0[place].count }.max() ?? 0 }
        return cells.map { line in
            zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// One line, without what could steer a terminal.
    private func cell(_ value: JSONValue?) -> String {
        guard let value, value != .null else { return "-" }
        let text = value.string ?? value.text
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isSafe ? $0 : "·" }))
        return line.isEmpty ? "-" : String(line.prefix(Self.longestValue))
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isSafe: Bool { generalCategory != .control && generalCategory != .format }
}
