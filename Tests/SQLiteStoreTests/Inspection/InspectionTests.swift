import PushCore
import PushModel
import Reports
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `The inspector in SQLite` {
    private func ids(_ scene: ReportScene, _ filter: MessageQuery.Filter, limit: Int = 2) throws -> [MessageID] {
        var found: [MessageID] = []
        var query = MessageQuery(project: scene.project.number, filter: filter, limit: limit)
        for _ in 0..<50 {
            let page = try scene.store.messages(query)
            found += page.messages.map(\.id)
            guard let next = page.next else { return found }
            query.place = next
        }
        Issue.record("the list does not end")
        return found
    }

    @Test func `finds messages by label, topic, registration and time, newest first and page by page`() async throws {
        let scene = try await ReportScene()
        var labelled: [MessageID] = []
        var toPhone: [MessageID] = []
        var all: [MessageID] = []
        for number in 0..<9 {
            let message = scene.message(label: number % 2 == 0 ? ReportScene.label : nil)
            let recipients = number % 3 == 0 ? [scene.tablet] : [scene.phone, scene.tablet]
            let ids = try await scene.accept(message, for: recipients)
            if number < 5, recipients.count == 2 { try await scene.end(ids[0], message, scene.phone) }
            all.insert(message.id, at: 0)
            if number % 2 == 0 { labelled.insert(message.id, at: 0) }
            if number % 3 != 0 { toPhone.insert(message.id, at: 0) }
        }
        #expect(try ids(scene, .all) == all)
        #expect(try ids(scene, .label("spring")) == labelled)
        #expect(try ids(scene, .label("")).isEmpty && ids(scene, .label("x")).isEmpty)
        #expect(try ids(scene, .registrations([scene.phone.id])) == toPhone)
        #expect(try ids(scene, .registrations([scene.phone.id, scene.tablet.id])) == all)
        #expect(try ids(scene, .registrations([])).isEmpty)
        let between = MessageQuery(
            project: scene.project.number, from: .testStart, to: Timestamp.testStart.adding(milliseconds: 1), limit: 99)
        #expect(try scene.store.messages(between).messages.count == 9)
        let before = MessageQuery(project: scene.project.number, to: .testStart, limit: 99)
        #expect(try scene.store.messages(before).messages.isEmpty)
    }

    @Test func `finds a device's messages through full blocks as well as open ones`() async throws {
        let scene = try await ReportScene()
        var wanted: [MessageID] = []
        for number in 0..<12 {
            let message = scene.message()
            let others = Array(repeating: scene.tablet, count: 900)
            _ = try await scene.accept(message, for: number % 4 == 1 ? others + [scene.phone] : others)
            if number % 4 == 1 { wanted.insert(message.id, at: 0) }
        }
        let blocks = try scene.store.readers.read { (connection) throws(StoreError) in
            try connection.integer("SELECT count(*) FROM delivery_blocks")
        }
        #expect(blocks == 1)
        #expect(try ids(scene, .registrations([scene.phone.id])) == wanted)
    }

    @Test func `shows deliveries of a fan-out with their states and tries`() async throws {
        let scene = try await ReportScene()
        let topic = try #require(TopicName("news"))
        let message = scene.message(target: .topic(topic))
        try await scene.store.acceptFanOut(message)
        for (recipient, isLast) in [(scene.phone, false), (scene.tablet, true)] {
            let chunk = FanOutChunk(members: [recipient.id], cursor: recipient.id, isLast: isLast)
            _ = try await scene.accept(scene.message(), for: [scene.phone])
            _ = try await scene.store.extendFanOut(
                message.id, by: chunk, deliveries: [PlannedDelivery(registration: recipient.id)])
        }
        #expect(try ids(scene, .topic("news")) == [message.id])
        let first = try scene.store.deliveries(of: message.id, after: nil, limit: 1)
        let rest = try scene.store.deliveries(of: message.id, after: first.last?.id, limit: 9)
        #expect((first + rest).compactMap(\.registration?.id) == [scene.phone.id, scene.tablet.id])
        #expect(first[0].state == .waiting && first[0].tries.isEmpty)
        scene.store.keep([
            DeliveryTry(
                delivery: first[0].id, project: scene.project.number, time: .testStart, status: 503,
                reason: "ServiceUnavailable")
        ])
        try await scene.store.settle()
        try await scene.store.settle()
        let error = SendError(.unregistered, "gone", apns: APNsAnswer(status: 410, reason: "Unregistered"))
        try await scene.end(first[0].id, message, scene.phone, .failed(error))
        try await scene.report(.delivered, message, scene.phone)
        let ended = try scene.store.deliveries(of: message.id, after: nil, limit: 1)[0]
        #expect(ended.state == .failed(.unregistered) && ended.detail == "Unregistered")
        #expect(ended.tries.map(\.status) == [503] && ended.reports.map(\.event.kind) == [.delivered])
    }

    @Test func `forgets messages by age, and the oldest of a project that has too many bytes`() async throws {
        let scene = try await ReportScene(messageBytes: 900)
        var messages: [ValidatedMessage] = []
        for _ in 0..<20 {
            let message = scene.message()
            let ids = try await scene.accept(message, for: [scene.phone])
            messages.append(message)
            if messages.count > 1 { try await scene.end(ids[0], message, scene.phone) }
        }
        let prune: @Sendable (WriteContext) throws(StoreError) -> Bool = { (context) throws(StoreError) in
            try context.pruneEvents()
        }
        _ = try await scene.store.writer.write(needsSavepoint: false, prune)
        let left = try ids(scene, .all)
        #expect(left.count < 10 && left.first == messages.last?.id)
        // The first one still waits for its device.
        #expect(left.last == messages[0].id)
        scene.clock.set(scene.clock.now().adding(seconds: 8 * 86_400))
        let late = scene.message(id: scene.clock.now().milliseconds * 1000)
        let delivery = try await scene.accept(late, for: [scene.phone])
        try await scene.end(delivery[0], late, scene.phone)
        _ = try await scene.store.writer.write(needsSavepoint: false, prune)
        #expect(try ids(scene, .all) == [late.id, messages[0].id])
    }

    @Test func `tells why a token changed`() async throws {
        let scene = try await ReportScene()
        try await scene.store.end(scene.phone.id, .deletedByApp, at: .testStart)
        var draft = Sample.draft(
            scene.project, address: Sample.address(9), nonce: 77, time: Timestamp.testStart.adding(seconds: 5))
        draft.app = scene.phone.app
        draft.androidID = scene.phone.androidID
        let again = try await scene.store.register(draft)
        #expect(again.id == scene.phone.id && again.tokenNonce != scene.phone.tokenNonce)
        let device = try #require(try scene.store.device(again.id))
        #expect(device.changes.count == 2)
        #expect(device.changes.map(\.nonce) == [scene.phone.tokenNonce, scene.phone.tokenNonce])
        #expect(device.changes.first?.reason.contains("registered again") == true)
        #expect(device.changes.last?.reason.contains("deleted its token") == true)
        #expect(device.others.isEmpty && device.registration.endedAt == nil)
    }

    @Test func `keeps twenty changes of a registration`() async throws {
        let scene = try await ReportScene()
        for byte in 1...60 {
            var draft = Sample.draft(
                scene.project, address: Sample.address(UInt8(byte)),
                time: Timestamp.testStart.adding(seconds: Int64(byte)))
            draft.androidID = scene.phone.androidID
            _ = try await scene.store.register(draft)
        }
        #expect(try scene.store.device(scene.phone.id)?.changes.count == 20)
    }

    @Test func `shows a device's inbox and topics, and a topic's growth`() async throws {
        let scene = try await ReportScene()
        let topic = try #require(TopicName("news"))
        _ = try await scene.store.subscribe(
            [scene.phone.id, scene.tablet.id], to: topic, in: scene.project.number, at: scene.clock.now())
        _ = try await scene.accept(scene.message(), for: [scene.tablet])
        let device = try #require(try scene.store.device(scene.tablet.id))
        #expect(device.topics.map(\.topic) == [topic] && device.inbox.count == 1 && device.pending == 1)
        scene.clock.set(scene.clock.now().adding(seconds: 86_400))
        _ = try await scene.store.unsubscribe([scene.phone.id], from: topic, in: scene.project.number)
        let shown = try #require(try scene.store.inspectedTopic(topic, in: scene.project.number))
        #expect(shown.members == 1 && shown.days.map(\.joined) == [0, 2] && shown.days.map(\.left) == [1, 0])
        let members = DeviceQuery(project: scene.project.number, filter: .topic(topic), limit: 5)
        #expect(try scene.store.devices(members).devices.map(\.registration.id) == [scene.tablet.id])
    }

    @Test func `shows what segments know of a device`() async throws {
        let scene = try await ReportScene()
        let untold = try #require(try scene.store.device(scene.phone.id)?.traits)
        #expect(untold.language == nil && untold.country == nil && untold.timeZone == nil)
        #expect(untold.engagedAt == nil && untold.properties.isEmpty)
        #expect(untold.firstOpenedAt == scene.phone.createdAt)
        var draft = Sample.draft(scene.project, time: .testStart)
        draft.app = scene.phone.app
        draft.androidID = scene.phone.androidID
        draft.locale = DeviceLocale(locale: "pt-BR", timeZone: "America/Sao_Paulo")
        let phone = try await scene.store.register(draft)
        #expect(phone.id == scene.phone.id)
        try await scene.store.setProperties(["plan": "pro", "age": "42"], of: phone)
        let told = try #require(try scene.store.device(phone.id)?.traits)
        #expect(told.language == "pt" && told.country == "BR" && told.timeZone == "America/Sao_Paulo")
        #expect(told.properties == ["plan": "pro", "age": "42"])
        #expect(try scene.store.device(scene.tablet.id)?.traits.properties.isEmpty == true)
    }

    @Test(arguments: ["1.0", ""])
    func `knows that a device registered, however many of other projects did since`(version: String) async throws {
        let scene = try await ReportScene()
        let quiet = try await scene.store.createProject(
            id: try #require(ProjectID("demo-quiet")), displayName: "Quiet")
        #expect(try scene.store.progress(of: quiet.number).hasRegistrations == false)
        var draft = Sample.draft(quiet, fid: "", address: nil)
        draft.appVersion = version
        let device = try await scene.store.register(draft)
        // Older than the ten thousand newest.
        let phone = scene.phone.id.value
        _ = try await scene.store.writer.write { (context) throws(StoreError) in
            try context.connection.change(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
                INSERT INTO registrations (project, kind, app, bundle, sender, scope, environment, nonce, android_id,
                    app_version, sdk_version, created_at, confirmed_at)
                SELECT project, kind, app, bundle, sender, scope, environment, nonce, 0, app_version, sdk_version,
                    created_at, confirmed_at
                FROM registrations, n WHERE id = ?
                """, phone)
        }
        #expect(try scene.store.progress(of: quiet.number).hasRegistrations)
        #expect(try scene.store.progress(of: quiet.number).hasDeliveries == false)
        #expect(try scene.store.device(device.id)?.traits.firstOpenedAt == device.createdAt)
    }

    @Test func `lists devices by FID, app and version`() async throws {
        let scene = try await ReportScene()
        let project = scene.project.number
        func found(_ filter: DeviceQuery.Filter, after place: RegistrationID? = nil) throws -> [RegistrationID] {
            try scene.store.devices(DeviceQuery(project: project, filter: filter, place: place, limit: 1))
                .devices.map(\.registration.id)
        }
        #expect(try found(.all) == [scene.tablet.id])
        #expect(try found(.all, after: scene.tablet.id) == [scene.phone.id])
        #expect(try found(.all, after: scene.phone.id).isEmpty)
        #expect(try found(.fid(Sample.fid)) == [scene.phone.id])
        #expect(try found(.app(scene.tablet.app?.text ?? "")) == [scene.tablet.id])
        #expect(try found(.version("1.0")) == [scene.tablet.id] && found(.version("9")).isEmpty)
        #expect(try found(.registrations([scene.phone.id])) == [scene.phone.id])
    }

    @Test func `lists every device when a page looks at few registrations`() async throws {
        let scene = try await ReportScene()
        let all = [scene.tablet.id, scene.phone.id].map(\.value)
        for (filter, wanted) in [
            (DeviceQuery.Filter.all, all), (.version("1.0"), all), (.version("9"), []),
            (.app(scene.phone.app?.text ?? ""), Array(all.suffix(1))), (.app("no.such.app"), []),
        ] {
            var (found, place, pages) = ([Int64](), RegistrationID?.none, 0)
            repeat {
                let query = DeviceQuery(project: scene.project.number, filter: filter, place: place, limit: 5)
                let page = try scene.store.readers.read { (connection) throws(StoreError) in
                    try DeviceSearch(connection: connection, query: query, stretch: 1).found()
                }
                found += page.ids
                place = page.next.map { RegistrationID(value: $0) }
                pages += 1
            } while place != nil && pages < 10
            #expect(found == wanted, "\(filter)")
            #expect(pages <= 3, "\(filter)")
        }
    }

    @Test func `goes with its project`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        _ = try await scene.accept(message, for: [scene.phone])
        try await scene.store.deleteProject(scene.project.number)
        #expect(try scene.store.inspectedMessage(message.id) == nil)
        #expect(try ids(scene, .all).isEmpty && scene.rows(.day).isEmpty)
    }
}

@Suite struct `Blocks of deliveries` {
    @Test(arguments: [Int64(1), 4_294_967_295, 4_294_967_296, 1 << 40]) func `find a registration again`(highest: Int64)
    {
        var registrations = [Int64](repeating: 5, count: Int(DeliveryBlock.deliveries))
        for place in [0, 17, 4095] { registrations[place] = highest }
        let bytes = DeliveryBlock.bytes(registrations)
        bytes.withUnsafeBytes { bytes in
            #expect(DeliveryBlock.places(of: highest, in: bytes) == [4095, 17, 0])
            #expect(DeliveryBlock.places(of: 5, in: bytes).count == 4093)
            #expect(
                DeliveryBlock.places(of: -1, in: bytes).isEmpty && DeliveryBlock.places(of: 1 << 50, in: bytes).isEmpty)
            #expect(DeliveryBlock.places(of: 5, in: UnsafeRawBufferPointer(rebasing: bytes.dropLast())).isEmpty)
        }
    }

    @Test func `are written only when they are whole`() {
        var block = OpenDeliveryBlock()
        var full: [Int64] = []
        for delivery in Int64(100)..<(3 * 4096) {
            if delivery == 9_000 { block.forget() }
            if let one = block.add(delivery, of: delivery) { full.append(one.number) }
        }
        #expect(full == [1])
    }
}
