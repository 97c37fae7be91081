import PushCore
import PushModel
import Timekeeping

@testable import SQLiteStore

/// A store with a project, and what a test does to the inboxes of devices in it.
final class InboxScene {
    static let device: UInt64 = 42
    static let start = DeliveryID(value: 0)

    let directory = TemporaryDirectory()
    let clock = ManualClock(.testStart)
    private(set) var store: SQLiteStore
    let project: Project
    private var lastMessage: Int64 = 1_700_000_000_000_000

    init() async throws {
        store = try directory.open(clock: clock)
        project = try await Sample.project(store)
    }

    /// As after the end of the process.
    func reopen(as role: SQLiteStore.Role = .administration) throws {
        store.close()
        store = try directory.open(role: role, clock: clock)
    }

    func register(
        _ device: UInt64 = device, bundle: String = Sample.bundle, channel: Registration.Channel = .device
    ) async throws -> Registration {
        var draft = Sample.draft(project, fid: "c" + String(String(device + 1_000_000).reversed()) + "AAAAAAAAAAAAAA")
        (draft.channel, draft.androidID, draft.bundleID) = (channel, device, bundle)
        return try await store.register(draft)
    }

    func message(id: Int64? = nil) -> ValidatedMessage {
        lastMessage += 1
        return Sample.message(project, id: id ?? lastMessage)
    }

    func plan(
        _ recipient: Registration, key: String? = nil, isConnected: Bool = false, lifetime: Int64 = 3_600,
        mayReturn: Bool = false
    ) -> PlannedDelivery {
        PlannedDelivery(
            registration: recipient.id,
            inbox: InboxPlace(
                device: recipient.androidID, collapseKey: key, expiresAt: clock.now().adding(seconds: lifetime),
                isConnected: isConnected, mayReturn: mayReturn))
    }

    /// Accepts one message for one recipient.
    @discardableResult func accept(
        for recipient: Registration, key: String? = nil, isConnected: Bool = false, lifetime: Int64 = 3_600,
        mayReturn: Bool = false
    ) async throws -> (message: ValidatedMessage, id: DeliveryID, ended: [FinishedDelivery]) {
        var message = message()
        message.acceptedAt = clock.now()
        let planned = plan(
            recipient, key: key, isConnected: isConnected, lifetime: lifetime, mayReturn: mayReturn)
        let acceptance = try await store.accept(message, deliveries: [planned])
        return (message, acceptance.deliveries[0].id, acceptance.ended)
    }

    /// Accepts so many messages without a key.
    func accept(_ count: Int, for recipient: Registration, isConnected: Bool = false) async throws -> [DeliveryID] {
        var ids: [DeliveryID] = []
        for _ in 0..<count { ids.append(try await accept(for: recipient, isConnected: isConnected).id) }
        return ids
    }

    func entries(of device: UInt64 = device, after id: DeliveryID = start, limit: Int = 1_000) throws -> [InboxEntry] {
        try store.inbox(of: device, after: id, limit: limit)
    }

    func settlement(
        _ id: DeliveryID, of message: ValidatedMessage, for recipient: Registration,
        outcome: DeliveryOutcome = .accepted(providerID: "0:1%0000000000000001"), receipt: UpstreamDraft? = nil
    ) -> InboxSettlement {
        InboxSettlement(
            finished: FinishedDelivery(
                id: id, message: message.id, project: project.number, registration: recipient.id, outcome: outcome,
                time: clock.now()), receipt: receipt)
    }

    /// The end of a note.
    func settlement(ofNote id: DeliveryID, for recipient: Registration) -> InboxSettlement {
        settlement(id, of: message(id: 0), for: recipient)
    }

    func receipt(_ id: String = "dr2:m") -> UpstreamDraft {
        UpstreamDraft(
            project: project.number, kind: .receipt, from: "gcm.googleapis.com", category: Sample.bundle,
            messageID: id, timeToLiveSeconds: 0, expiresAt: clock.now().adding(seconds: 86_400))
    }

    func count(_ sql: StaticString) throws -> Int64 {
        try store.readers.read { (connection) throws(StoreError) in try connection.integer(sql) }
    }

    /// Messages that wait for somebody.
    func messages() throws -> Int64 {
        try count(
            """
            SELECT count(*) FROM messages WHERE id IN (SELECT message FROM deliveries)
                OR id IN (SELECT message FROM inbox) OR id IN (SELECT message FROM fan_outs WHERE is_done = 0)
            """)
    }
}

extension InboxEntry {
    var message: ValidatedMessage? {
        if case .message(let message) = content { message } else { nil }
    }

    var dropped: Int? {
        if case .dropped(let count) = content { count } else { nil }
    }
}
