import PushCore
import PushModel
import Reports
import Timekeeping

@testable import SQLiteStore

/// A store with a project, an Apple app and an Android app, and messages with labels sent to them.
final class ReportScene {
    static let label = AnalyticsLabel("spring")

    let directory = TemporaryDirectory()
    let clock = ManualClock(.testStart)
    let store: SQLiteStore
    let project: Project
    let phone, tablet: Registration
    private var lastMessage = Timestamp.testStart.milliseconds * 1000

    init(messageBytes: Int64 = 256 << 20) async throws {
        store = try directory.open(clock: clock, messageBytes: messageBytes)
        project = try await Sample.project(store)
        phone = try await Self.register(store, project, "ios", Sample.fid, .apple(Sample.address(1)), clock.now())
        tablet = try await Self.register(store, project, "android", Sample.otherFID, .device, clock.now())
    }

    private static func register(
        _ store: SQLiteStore, _ project: Project, _ platform: String, _ fid: String, _ channel: Registration.Channel,
        _ time: Timestamp
    ) async throws -> Registration {
        var draft = Sample.draft(project, fid: fid, address: nil, time: time)
        draft.channel = channel
        draft.app = AppID("1:\(project.number):\(platform):abc123")
        draft.androidID = platform == "ios" ? 41 : 42
        return try await store.register(draft)
    }

    func message(label: AnalyticsLabel? = label, target: SendTarget = .token("t"), id: Int64? = nil) -> ValidatedMessage
    {
        lastMessage += 1
        var message = Sample.message(project, id: id ?? lastMessage)
        message.message.analyticsLabel = label
        message.target = target
        return message
    }

    /// Accepts a message for registrations, as the pipeline does.
    func accept(_ message: ValidatedMessage, for recipients: [Registration]) async throws -> [DeliveryID] {
        let planned = recipients.map { recipient in
            let place = InboxPlace(
                device: recipient.androidID, collapseKey: nil, expiresAt: clock.now().adding(seconds: 3600),
                isConnected: false)
            return PlannedDelivery(
                registration: recipient.id, inbox: recipient.channel == .device ? place : nil,
                dimensions: ReportDimensions(message.message, to: recipient))
        }
        return try await store.accept(message, deliveries: planned).deliveries.map(\.id)
    }

    func end(
        _ id: DeliveryID, _ message: ValidatedMessage, _ recipient: Registration,
        _ outcome: DeliveryOutcome = .accepted(providerID: "12345678-9abc-def0-1234-56789abcdef0"),
        isKnown: Bool = true
    ) async throws {
        var finished = Sample.finished(
            id, of: message, registration: recipient.id, outcome: outcome, time: clock.now())
        if isKnown { finished.dimensions = ReportDimensions(message.message, to: recipient) }
        store.finish([finished])
        try await store.settle()
    }

    func report(_ kind: ReportedEvent.Kind, _ message: ValidatedMessage, _ recipient: Registration) async throws {
        _ = try await store.keepReports(
            [
                ReportedEvent(
                    kind, project: project.number, messageID: message.id.description, instanceID: recipient.fid,
                    messageType: .display, platform: .iOS, appName: recipient.bundleID,
                    analyticsLabel: message.message.analyticsLabel?.text, occurredAt: clock.now())
            ], receivedAt: clock.now())
    }

    func rows(_ grouping: ReportQuery.Grouping, label: String? = nil, app: String? = nil) throws -> [ReportRow] {
        try store.report(
            ReportQuery(project: project.number, grouping: grouping, label: label, app: app))
    }
}
