import Accounts
import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel
public import Reports
public import Timekeeping

/// The inspector: what happened to a message.
public struct MessageEndpoints: Sendable {
    private let store: any InspectionStore
    private let documents: MessageDocuments
    private let names: DeviceNames
    private let tail: LiveTail
    private let delays: any DelayScheduler
    private let clock: any WallClock

    public init(
        store: any InspectionStore & RegistrationStore, tokens: RegistrationTokenCodec, tail: LiveTail,
        delays: any DelayScheduler, clock: any WallClock
    ) {
        self.store = store
        self.tail = tail
        self.delays = delays
        self.clock = clock
        names = DeviceNames(store: store, tokens: tokens)
        documents = MessageDocuments(tokens: tokens, clock: clock)
    }

    public var part: ConsolePart {
        ConsolePart(
            "Messages",
            endpoints: [
                ConsoleEndpoint(
                    "message.list", "GET", "projects/{project}/messages", "Finds messages, newest first.",
                    access: .project(.viewer), query: Self.filters + ConsolePage.parameters,
                    answer: .json(.page("messages", of: .reference("InspectedMessage"))), handler: list),
                ConsoleEndpoint(
                    "message.get", "GET", "projects/{project}/messages/{message}",
                    "Shows a message with its deliveries, and why it did not arrive.", access: .project(.viewer),
                    query: [DeviceDocuments.tokensParameter] + ConsolePage.parameters,
                    answer: .json(.reference("MessageDetails")), handler: show),
                ConsoleEndpoint(
                    "message.tail", "GET", "projects/{project}/messages:tail",
                    "Events as they happen, as server-sent events; Last-Event-ID goes on after one.",
                    access: .project(.viewer), answer: .other(["text/event-stream"]), handler: watch),
            ], schemas: MessageDocuments.schemas)
    }

    private static let filters: [ConsoleEndpoint.Parameter] =
        [
            .init("q", .text(upTo: 1_000), "A message id, token, FID, topic or label."),
            .init("messageId", .text(upTo: 200), "The id that the send answered."),
            .init("token", .text(upTo: 1_000), "Messages to this token."),
            .init("fid", .text(upTo: 100), "Messages to this app instance."),
            .init("topic", .text(upTo: 1_000), "Messages to this topic."),
            .init("label", .text(upTo: 50), "Messages with this analytics label."),
            .init("campaignId", .text(upTo: 20, pattern: "^[0-9]*$"), "Messages of this campaign."),
        ] + ReportParameters.days

    // MARK: Lists

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let project = request.project.number
        var query = MessageQuery(project: project, limit: page.size)
        (query.from, query.to) = try ReportParameters.times(request)
        query.place = try page.key.map { (key) throws(GoogleError) in try Self.place(key) }
        if let id = messageID(request) { return try await one(id, in: project) }
        query.filter = try await filter(request)
        let wanted = query
        let found = try await asking { () async throws(StoreError) in try store.messages(wanted) }
        var object: JSONObject = ["messages": .array(found.messages.map { .object(documents.summary($0)) })]
        if let next = found.next { object["nextPageToken"] = .string(ConsolePage.token(after: Self.key(next))) }
        return .json(object)
    }

    private func one(_ id: MessageID, in project: ProjectNumber) async throws(GoogleError) -> ConsoleAnswer {
        let found = try await asking { () async throws(StoreError) in try store.inspectedMessage(id) }
        let shown = found.flatMap { $0.project == project ? $0 : nil }
        return .json(["messages": .array(shown.map { [.object(documents.summary($0))] } ?? [])])
    }

    private func messageID(_ request: ConsoleRequest) -> MessageID? {
        if let text = request.query("messageId") { return MessageID(lastPart: text) ?? MessageID(value: 0) }
        return request.query("q").flatMap { MessageID(lastPart: $0) }
    }

    private func filter(_ request: ConsoleRequest) async throws(GoogleError) -> MessageQuery.Filter {
        let project = request.project.number
        if let device = request.query("token") ?? request.query("fid") {
            return .registrations(try await names.registrations(device, in: project))
        }
        if let topic = request.query("topic") { return .topic(topic.withoutTopicPrefix) }
        if let label = request.query("label") { return .label(label) }
        if let campaign = request.query("campaignId").flatMap({ Int64($0) }) { return .campaign(campaign) }
        guard let text = request.query("q") else { return .all }
        let devices = try await names.registrations(text, in: project)
        if !devices.isEmpty { return .registrations(devices) }
        let label = MessageQuery(project: project, filter: .label(text), limit: 1)
        let hasLabel = try await asking { () async throws(StoreError) in try !store.messages(label).messages.isEmpty }
        return hasLabel ? .label(text) : .topic(text.withoutTopicPrefix)
    }

    private static func place(_ key: String) throws(GoogleError) -> MessagePlace {
        guard let number = Int64(key.dropFirst()), number > 0 else { throw ConsolePage.badToken }
        switch key.first {
        case "m": return .before(MessageID(value: number))
        case "d": return .beforeDelivery(DeliveryID(value: number))
        default: throw ConsolePage.badToken
        }
    }

    private static func key(_ place: MessagePlace) -> String {
        switch place {
        case .before(let message): "m\(message)"
        case .beforeDelivery(let delivery): "d\(delivery.value)"
        }
    }

    // MARK: One message

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let after = try page.integerKey().map { DeliveryID(value: $0) }
        let showsTokens = try DeviceDocuments.showsTokens(request)
        guard let id = MessageID(request[path: "message"]) else { throw .absent("message") }
        let found = try await asking { () async throws(StoreError) in try store.inspectedMessage(id) }
        guard let found, found.project == request.project.number else { throw .absent("message") }
        let deliveries = try await asking { () async throws(StoreError) in
            try store.deliveries(of: id, after: after, limit: page.size + 1)
        }
        var object = documents.details(
            found, of: request.project, Array(deliveries.prefix(page.size)), showsTokens: showsTokens)
        if deliveries.count > page.size, let last = deliveries.prefix(page.size).last {
            object["nextPageToken"] = .string(ConsolePage.token(after: last.id.value))
        }
        return .json(object)
    }

    // MARK: Live

    private func watch(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let last = request.head.fields["last-event-id"].flatMap { UInt64($0) }
        guard let feed = TailFeed(tail, of: request.project.number, after: last, delays: delays) else {
            throw GoogleError(.resourceExhausted, "Too many watch already. Close other windows.", retryAfterSeconds: 30)
        }
        return feed.answer
    }
}

extension MessageID {
    /// Reads an id, or the name that a send answers: `projects/p/messages/1700000000000001`.
    fileprivate init?(lastPart text: String) {
        guard let last = text.split(separator: "/").last, last.utf8.count >= 10 else { return nil }
        self.init(last)
    }
}

extension String {
    fileprivate var withoutTopicPrefix: String { hasPrefix("/topics/") ? String(dropFirst(8)) : self }
}
