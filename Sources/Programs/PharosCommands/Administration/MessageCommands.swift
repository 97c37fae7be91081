import ConsoleAPI
import JSON
import PushCore
import PushModel
import Reports
import SQLiteStore
import Timekeeping

extension AdministrationCommand {
    private static let shown = 50

    /// `pharos message show`
    static let messageShow = AdministrationCommand(
        "message show", "Shows what happened to a message, and why it did not arrive.", operands: ["ID"],
        options: [.project], discussion: "ID is what the send answered; its first \(shown) deliveries are shown."
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let name = arguments.operands[0].split(separator: "/").last ?? ""
        let found = try await administration.ask { (store) throws(StoreError) in
            try MessageID(name).flatMap { (id) throws(StoreError) in try store.inspectedMessage(id) }
        }
        guard let message = found, message.project == project.number else {
            throw .failed(
                "The message is not known, or not any more.",
                nextStep: "Messages are kept for seven days. Find others: pharos message find")
        }
        let deliveries = try await administration.ask { (store) throws(StoreError) in
            try store.deliveries(of: message.id, after: nil, limit: shown)
        }
        let documents = MessageDocuments(tokens: Audience(administration.store).tokens, clock: SystemClock())
        let details = documents.details(message, of: project, deliveries, showsTokens: false)
        return CommandReport(text: text(details), json: .object(details))
    }

    /// `pharos message find`
    static let messageFind = AdministrationCommand(
        "message find", "Finds messages, newest first.",
        options: [
            .project, .value("token", "TOKEN", "To this token."), .value("fid", "FID", "To this app instance."),
            .value("topic", "TOPIC", "To this topic."), .value("label", "LABEL", "With this analytics label."),
            .value("campaign", "NUMBER", "Of this campaign."),
            .value("before", "ID", "Older than this message: the list goes on there."),
        ]
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        var query = MessageQuery(project: project.number, limit: shown)
        query.filter = try await filter(arguments, administration, project)
        query.place = arguments.value("before").flatMap { MessageID($0) }.map { .before($0) }
        let wanted = query
        let page = try await administration.ask { (store) throws(StoreError) in try store.messages(wanted) }
        let documents = MessageDocuments(tokens: Audience(administration.store).tokens, clock: SystemClock())
        let summaries = page.messages.map { documents.summary($0) }
        let rows = summaries.map { message in
            ["messageId", "acceptedAt", "state", "title"].map { message[$0]?.string ?? "" }
        }
        return CommandReport(
            text: rows.isEmpty
                ? "No message matches." : CommandReport.table([["id", "accepted", "state", "title"]] + rows),
            json: ["messages": .array(summaries.map { .object($0) })])
    }

    private static func filter(
        _ arguments: CommandArguments, _ administration: Administration, _ project: Project
    ) async throws(CommandFailure) -> MessageQuery.Filter {
        if let device = arguments.value("token") ?? arguments.value("fid") {
            let names = DeviceNames(store: administration.store, tokens: Audience(administration.store).tokens)
            guard let found = try? await names.registrations(device, in: project.number) else {
                throw .failed("The store cannot be read.", nextStep: "Run: pharos doctor")
            }
            return .registrations(found)
        }
        if let topic = arguments.value("topic") { return .topic(topic) }
        if let label = arguments.value("label") { return .label(label) }
        if let campaign = arguments.value("campaign").flatMap({ Int64($0) }) { return .campaign(campaign) }
        return .all
    }

    // MARK: Text

    private static func text(_ details: JSONObject) -> String {
        let message = details["message"]?.object ?? [:]
        var lines = ["messageId", "title", "door", "sender", "label", "state", "acceptedAt", "expiresAt"].compactMap {
            name in message[name]?.string.map { "\(name): \($0)" }
        }
        if let target = message["target"] { lines.append("target: \(target.text)") }
        if let counts = message["counts"] { lines.append("counts: \(counts.text)") }
        if let apns = details["translation"]?["apns"] { lines.append("APNs: \(apns.text)") }
        for delivery in details["deliveries"]?.array ?? [] { lines += text(delivery: delivery) }
        return lines.joined(separator: "\n")
    }

    private static func text(delivery: JSONValue) -> [String] {
        let device = delivery["registration"]
        let name = device?["fid"]?.string ?? device?["tokenHint"]?.string ?? "an unknown device"
        var lines = ["", "to \(name): \(delivery["state"]?.string ?? "") by \(delivery["channel"]?.string ?? "")"]
        for attempt in delivery["attempts"]?.array ?? [] { lines.append("  try: \(attempt.text)") }
        for report in delivery["reports"]?.array ?? [] { lines.append("  the device: \(report.text)") }
        if let explanation = delivery["explanation"]?.string { lines.append("  \(explanation)") }
        if let nextStep = delivery["nextStep"]?.string { lines.append("  Next step: \(nextStep)") }
        return lines
    }
}
