import Accounts
import GoogleAPI
import JSON
public import PushCore
import PushModel
public import Reports
public import Timekeeping

/// The topics of a project: members, growth and recent sends.
public struct TopicEndpoints: Sendable {
    private static let recentSends = 20

    private let store: any InspectionStore & TopicStore
    private let devices: DeviceDocuments
    private let messages: MessageDocuments

    public init(store: any InspectionStore & TopicStore, tokens: RegistrationTokenCodec, clock: any WallClock) {
        self.store = store
        devices = DeviceDocuments(tokens: tokens)
        messages = MessageDocuments(tokens: tokens, clock: clock)
    }

    public var part: ConsolePart {
        ConsolePart(
            "Topics",
            endpoints: [
                ConsoleEndpoint(
                    "topic.list", "GET", "projects/{project}/topics", "Lists topics by name.",
                    access: .project(.viewer),
                    query: [.init("q", .text(upTo: 900), "The beginning of the name.")] + ConsolePage.parameters,
                    answer: .json(.page("topics", of: .reference("Topic"))), handler: list),
                ConsoleEndpoint(
                    "topic.get", "GET", "projects/{project}/topics/{topic}", "Shows a topic.",
                    access: .project(.viewer), answer: .json(.reference("TopicDetails")), handler: show),
                ConsoleEndpoint(
                    "topic.members", "GET", "projects/{project}/topics/{topic}/members",
                    "Lists who follows a topic, oldest registration first.", access: .project(.viewer),
                    query: ConsolePage.parameters, answer: .json(.page("members", of: .reference("Device"))),
                    handler: members),
            ],
            schemas: [
                "Topic": .object([.required("topic", .text(1)), .required("members", .count)]),
                "TopicDetails": .object([
                    .required("topic", .text(1)), .required("members", .count),
                    .required(
                        "growth",
                        .list(
                            .object([
                                .required("day", .text(1)), .required("members", .integer(Int64.min...Int64.max)),
                                .required("joined", .count), .required("left", .count),
                            ]), maximumItems: 90), "Days on which something changed, oldest first."),
                    .required(
                        "recentSends", .list(.reference("InspectedMessage"), maximumItems: Self.recentSends)),
                ]),
            ])
    }

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let prefix = request.query("q") ?? ""
        // A name begins with its prefix or comes after it: the list starts just before.
        var after = page.key.flatMap { TopicName($0) }
        guard page.key == nil || after != nil else { throw ConsolePage.badToken }
        var found: [TopicSummary] = []
        if after == nil, !prefix.isEmpty {
            guard let exact = TopicName(prefix) else {
                return page.answer("topics", found, key: \.topic.text) { _ in .null }
            }
            let topic = try await asking { () async throws(StoreError) in
                try store.inspectedTopic(exact, in: request.project.number)
            }
            if let topic { found.append(TopicSummary(topic: exact, members: topic.members)) }
            after = exact
        }
        let (start, limit) = (after, page.size + 1 - found.count)
        found += try await asking { () async throws(StoreError) in
            try store.topics(in: request.project.number, after: start, limit: limit)
        }.filter { $0.topic.text.hasPrefix(prefix) }
        return page.answer("topics", found, key: \.topic.text) {
            ["topic": .string($0.topic.text), "members": .integer($0.members)]
        }
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let project = request.project.number
        guard let name = TopicName(request[path: "topic"]) else { throw .absent("topic") }
        let topic = try await asking { () async throws(StoreError) in try store.inspectedTopic(name, in: project) }
        let query = MessageQuery(project: project, filter: .topic(name.text), limit: Self.recentSends)
        let sends = try await asking { () async throws(StoreError) in try store.messages(query).messages }
        guard topic != nil || !sends.isEmpty else { throw .absent("topic") }
        return .json([
            "topic": .string(name.text), "members": .integer(topic?.members ?? 0),
            "growth": .array(growth(topic)),
            "recentSends": .array(sends.map { .object(messages.summary($0)) }),
        ])
    }

    /// Members at the end of each day, counted back from now.
    private func growth(_ topic: InspectedTopic?) -> [JSONValue] {
        var members = topic?.members ?? 0
        var days: [JSONValue] = []
        for day in topic?.days ?? [] {
            days.append([
                "day": .string(String(Timestamp(seconds: day.day * 86_400).rfc3339.prefix(10))),
                "members": .integer(members), "joined": .integer(day.joined), "left": .integer(day.left),
            ])
            members -= day.joined - day.left
        }
        return days.reversed()
    }

    private func members(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        guard let topic = TopicName(request[path: "topic"]) else { throw .absent("topic") }
        var query = DeviceQuery(project: request.project.number, filter: .topic(topic), limit: page.size)
        query.place = try page.integerKey().map { RegistrationID(value: $0) }
        let wanted = query
        let found = try await asking { () async throws(StoreError) in try store.devices(wanted) }
        return ConsolePage.answer("members", found, devices)
    }
}
