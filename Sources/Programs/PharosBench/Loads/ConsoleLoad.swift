import JSON
import PushCore
import PushModel
import Reports
import SQLiteStore
import Timekeeping

extension BenchLoad {
    /// The lists, searches and reports of the console over many devices and messages.
    static let console = BenchLoad(
        name: "console",
        summary: "what the console asks of the store. --data-dir DIR --registrations N --messages N --times N"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        let devices = try await world.register(
            try arguments.count("registrations", default: 1_000_000), kind: .classic)
        guard !devices.isEmpty else { throw BenchFailure.usage("--registrations must be at least 1.") }
        let load = ConsoleQueries(
            world: world, devices: devices, messages: try arguments.count("messages", default: 100_000),
            times: max(1, try arguments.count("times", default: 20)))
        try await load.fill()
        let result = try load.measure()
        world.store.close()
        return result
    }
}

private struct ConsoleQueries {
    private static let page = 50
    private static let labels = 20
    private static let sentAtOnce = 256

    let world: BenchWorld
    let devices: [Registration]
    let messages: Int
    let times: Int

    private var topic: TopicName? { TopicName("bench") }

    /// Sends every message to one device, and some to a topic.
    func fill() async throws {
        try await world.join("bench", devices.prefix(10_000).map(\.id))
        for start in stride(from: 0, to: messages, by: Self.sentAtOnce) {
            let numbers = start..<min(start + Self.sentAtOnce, messages)
            try await withThrowingDiscardingTaskGroup { group in
                for number in numbers { group.addTask { try await send(number) } }
            }
        }
    }

    private func send(_ number: Int) async throws {
        let device = devices[number &* 7919 % devices.count]
        var message = world.message(Int64(number), to: device)
        message.message.analyticsLabel = AnalyticsLabel("label-\(number % Self.labels)")
        if number % 1_000 == 0, let topic { message.target = .topic(topic) }
        guard message.target.topics.isEmpty else { return try await world.store.acceptFanOut(message) }
        let dimensions = ReportDimensions(message.message, to: device)
        let accepted = try await world.store.accept(
            message, deliveries: [PlannedDelivery(registration: device.id, dimensions: dimensions)])
        let outcome: DeliveryOutcome =
            number % 10 == 0
            ? .failed(SendError(.unregistered, "", apns: APNsAnswer(status: 410, reason: "Unregistered")))
            : .accepted(providerID: "eabeae54-14a8-41e5-b60b-1697f925ec7b")
        world.store.finish(
            accepted.deliveries.map {
                FinishedDelivery(
                    id: $0.id, message: message.id, project: world.project.number, registration: device.id,
                    outcome: outcome, time: world.clock.now(), dimensions: dimensions)
            })
    }

    // MARK: Measuring

    /// Each question several times, each time about something else.
    func measure() throws -> JSONObject {
        let (store, project) = (world.store, world.project.number)
        let list = MessageQuery(project: project, limit: Self.page)
        let middle = try store.messages(MessageQuery(project: project, limit: min(messages, 200))).messages
        var result: JSONObject = ["registrations": .integer(devices.count), "messages": .integer(messages)]
        func note(_ name: String, _ question: (Int) throws -> Void) rethrows {
            result[name] = .object(try measure(question))
        }
        try note("messages_newest") { _ in _ = try store.messages(list) }
        try note("messages_deep_page") { number in
            var query = list
            query.place = middle.last.map { .before(MessageID(value: $0.id.value - Int64(number))) }
            _ = try store.messages(query)
        }
        try note("messages_by_label") { number in
            var query = list
            query.filter = .label("label-\(number % Self.labels)")
            _ = try store.messages(query)
        }
        try note("messages_by_topic") { _ in
            var query = list
            query.filter = .topic("bench")
            _ = try store.messages(query)
        }
        try note("messages_by_device") { number in
            var query = list
            query.filter = .registrations([devices[number &* 7919 % devices.count].id])
            _ = try store.messages(query)
        }
        try note("messages_by_unused_device") { number in
            var query = list
            query.filter = .registrations([RegistrationID(value: Int64.max - Int64(number))])
            _ = try store.messages(query)
        }
        try note("message_with_deliveries") { number in
            guard let id = middle.isEmpty ? nil : middle[number % middle.count].id else { return }
            _ = try store.inspectedMessage(id)
            _ = try store.deliveries(of: id, after: nil, limit: Self.page)
        }
        try note("devices_newest") { _ in _ = try store.devices(DeviceQuery(project: project, limit: Self.page)) }
        try note("device_by_fid") { number in
            let fid = devices[number &* 104_729 % devices.count].fid
            _ = try store.devices(DeviceQuery(project: project, filter: .fid(fid), limit: Self.page))
        }
        let quiet = ProjectNumber(value: project.value &+ 1)
        try note("devices_of_a_project_without") { _ in
            _ = try store.devices(DeviceQuery(project: quiet, limit: Self.page))
        }
        for (name, version) in [("present", devices[0].appVersion), ("absent", BenchWorld.bundleID)] {
            try note("devices_by_version_\(name)") { _ in
                _ = try store.devices(DeviceQuery(project: project, filter: .version(version), limit: Self.page))
            }
        }
        try note("topics") { _ in _ = try store.topics(in: project, after: nil, limit: Self.page) }
        try note("topic_page") { _ in
            guard let topic else { return }
            _ = try store.inspectedTopic(topic, in: project)
        }
        try note("checklist") { _ in _ = try store.progress(of: project) }
        try note("checklist_of_a_project_without") { _ in _ = try store.progress(of: quiet) }
        try note("device_page") { number in _ = try store.device(devices[number &* 104_729 % devices.count].id) }
        try note("topic_members_deep_page") { number in
            guard let topic else { return }
            _ = try store.devices(
                DeviceQuery(
                    project: project, filter: .topic(topic), place: devices[min(5_000 + number, devices.count - 1)].id,
                    limit: Self.page))
        }
        for grouping in ReportQuery.Grouping.allCases {
            try note("report_by_\(grouping.rawValue)") { _ in
                _ = try store.report(ReportQuery(project: project, grouping: grouping))
            }
        }
        return result
    }

    private func measure(_ question: (Int) throws -> Void) rethrows -> JSONObject {
        var latencies = Latencies(expected: times)
        for number in 0..<times {
            let watch = Stopwatch()
            try question(number)
            latencies.append(Int64(watch.seconds * 1e9))
        }
        return latencies.report
    }
}
