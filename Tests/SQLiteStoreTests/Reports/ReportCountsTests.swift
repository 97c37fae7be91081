import PushCore
import PushModel
import Reports
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Counts for reports` {
    @Test func `follow a message down the funnel`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        let ids = try await scene.accept(message, for: [scene.phone, scene.tablet])
        try await scene.end(ids[0], message, scene.phone)
        try await scene.end(ids[1], message, scene.tablet, .accepted(providerID: "0:1%2"))
        try await scene.report(.delivered, message, scene.phone)
        try await scene.report(.receivedInForeground, message, scene.phone)
        try await scene.report(.opened, message, scene.phone)
        try await scene.report(.opened, message, scene.phone)
        let counts = try #require(try scene.rows(.day).first).counts
        #expect(counts.targeted == 2 && counts.sent == 2 && counts.accepted == 2)
        #expect(counts.received == 2 && counts.displayed == 1 && counts.opened == 1 && counts.failed == 0)
        let inspected = try #require(try scene.store.inspectedMessage(message.id))
        #expect(inspected.reports.received == 2 && inspected.reports.opened == 1)
    }

    @Test func `are grouped by day, label and app`() async throws {
        let scene = try await ReportScene()
        let plain = scene.message(label: nil)
        let labelled = scene.message()
        let nextDay = scene.message(id: Timestamp.testStart.adding(seconds: 86_400).milliseconds * 1000)
        for message in [plain, labelled, nextDay] {
            let ids = try await scene.accept(message, for: [scene.phone, scene.tablet])
            try await scene.end(ids[0], message, scene.phone)
        }
        #expect(try scene.rows(.day).map(\.counts.targeted) == [4, 2])
        let labels = try scene.rows(.label)
        #expect(labels.map(\.key) == ["", "spring"] && labels.map(\.counts.accepted) == [1, 2])
        #expect(Set(try scene.rows(.app).map(\.key)) == Set([scene.phone, scene.tablet].map { $0.app?.text ?? "" }))
        #expect(try scene.rows(.day, label: "spring").map(\.counts.targeted) == [2, 2])
        #expect(try scene.rows(.day, label: "").map(\.counts.targeted) == [2])
        #expect(try scene.rows(.day, label: "summer").isEmpty)
        #expect(try scene.rows(.day, app: scene.phone.app?.text).map(\.counts.targeted) == [2, 1])
    }

    static let failures: [(DeliveryOutcome, String, isSent: Bool)] = [
        (.expired, "EXPIRED", false), (.superseded, "SUPERSEDED", false), (.discarded, "DISCARDED", false),
        (
            .failed(SendError(.unregistered, "gone", apns: APNsAnswer(status: 410, reason: "Unregistered"))),
            "UNREGISTERED", true
        ),
        (.failed(SendError(.unregistered, "ended")), "UNREGISTERED", false),
        (.failed(SendError(.thirdPartyAuthentication, "no key")), "THIRD_PARTY_AUTH_ERROR", false),
        (.failed(SendError(.internalError, "gone")), "INTERNAL", false),
    ]

    @Test(arguments: failures) func `name each failure`(outcome: DeliveryOutcome, code: String, isSent: Bool)
        async throws
    {
        let scene = try await ReportScene()
        let message = scene.message()
        let ids = try await scene.accept(message, for: [scene.phone])
        try await scene.end(ids[0], message, scene.phone, outcome)
        let counts = try #require(try scene.rows(.day).first).counts
        #expect(counts.failures == [code: 1] && counts.accepted == 0 && counts.sent == (isSent ? 1 : 0))
    }

    @Test func `are the same when the store looks for app and label itself`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        let ids = try await scene.accept(message, for: [scene.phone])
        try await scene.end(ids[0], message, scene.phone, .expired, isKnown: false)
        let row = try #require(try scene.rows(.app, label: "spring").first)
        #expect(row.key == scene.phone.app?.text && row.counts.failures == ["EXPIRED": 1])
    }

    @Test func `of a message are its own project's, and end with it`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        _ = try await scene.accept(message, for: [scene.phone])
        for (project, id) in [
            (scene.project.number, message.id.description), (scene.project.number, "1234567890123456"),
            (ProjectNumber(value: scene.project.number.value &+ 1), message.id.description),
        ] {
            let event = ReportedEvent(
                .opened, project: project, messageID: id, instanceID: Sample.fid, occurredAt: scene.clock.now())
            _ = try await scene.store.keepReports([event], receivedAt: scene.clock.now())
        }
        let counted = try scene.store.readers.read { (connection) throws(StoreError) in
            try connection.all("SELECT message, count FROM message_counts") { [$0.integer(0), $0.integer(1)] }
        }
        #expect(counted == [[message.id.value, 1]])
    }

    @Test func `of Android apps count what was acknowledged and reported once`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        let ids = try await scene.accept(message, for: [scene.tablet])
        try await scene.end(ids[0], message, scene.tablet, .accepted(providerID: "0:1%2"))
        let report = ReportedEvent(
            .delivered, project: scene.project.number, messageID: message.id.description, instanceID: Sample.otherFID,
            messageType: .display, platform: .android, occurredAt: scene.clock.now())
        _ = try await scene.store.keepReports([report], receivedAt: scene.clock.now())
        let counts = try #require(try scene.rows(.day).first?.counts)
        #expect(counts.received == 1 && counts.displayed == 1)
    }

    @Test func `take no label and no campaign from apps that nobody used`() async throws {
        let scene = try await ReportScene()
        let event = ReportedEvent(
            .opened, project: scene.project.number, messageID: "99999999999999999999", instanceID: Sample.fid,
            analyticsLabel: "made-up", campaignID: 77, occurredAt: scene.clock.now())
        _ = try await scene.store.keepReports([event], receivedAt: scene.clock.now())
        #expect(try scene.rows(.label).map(\.key) == [""])
        #expect(try scene.rows(.campaign).map(\.key) == [""])
    }

    @Test func `of work that was undone are forgotten`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        _ = try await scene.accept(message, for: [scene.phone])
        let (store, id, project, phone) = (scene.store, message.id, scene.project.number, scene.phone.id)
        await #expect(throws: StoreError.self) {
            try await store.accept(message, deliveries: [PlannedDelivery(registration: phone)])
        }
        await #expect(throws: StoreError.self) {
            try await store.writer.write { (context) throws(StoreError) in
                try context.countTargets([PlannedDelivery(registration: phone)], of: id, in: project)
                throw .conflict("no")
            }
        }
        #expect(try scene.rows(.day).map(\.counts.targeted) == [1])
    }

    @Test func `of Android apps are also kept by days in California`() async throws {
        let scene = try await ReportScene()
        let message = scene.message()
        let ids = try await scene.accept(message, for: [scene.phone, scene.tablet])
        scene.clock.set(scene.clock.now().adding(seconds: 61))
        try await scene.end(ids[1], message, scene.tablet, .accepted(providerID: "0:1%2"))
        let today = PacificTime.day(of: message.id)
        let app = scene.tablet.app?.text ?? ""
        let rows = try scene.store.deliveryData(
            DeliveryDataQuery(project: scene.project.number, app: app, days: today - 6...today, limit: 10))
        var expected = DeliveryDataRow(day: today, label: "spring")
        (expected.messages, expected.notifications, expected.delivered, expected.delayed) = (1, 1, 1, 1)
        #expect(rows == [expected])
        let after = DeliveryDataQuery(
            project: scene.project.number, app: app, days: today - 6...today, after: (today, "spring"), limit: 10)
        #expect(try scene.store.deliveryData(after).isEmpty)
        let apple = DeliveryDataQuery(
            project: scene.project.number, app: scene.phone.app?.text ?? "", days: today - 6...today, limit: 10)
        #expect(try scene.store.deliveryData(apple).isEmpty)
    }
}
