import PushCore
import PushModel
import Synchronization
import Timekeeping

/// Inboxes, upstream messages and registrations in memory, with the rules that the core relies on.
final class InMemoryInboxStore: InboxStore, UpstreamStore, UpstreamOrigins, DeviceRegistrations {
    struct Row: Sendable {
        var entry: InboxEntry
        var device: UInt64
        var mayReturn = false
    }

    private struct State {
        var rows: [Row] = []
        var settled: [FinishedDelivery] = []
        var upstream: [UpstreamMessage] = []
        var origins: Set<UpstreamOrigin> = []
        var connections: [UInt64: Timestamp] = [:]
        var discarded: [UInt64] = []
        var pruned: [Timestamp] = []
        var isBroken = false
    }

    let registrations = InMemoryRegistrationStore()
    let changes = Changes()
    private let state = Mutex(State())

    func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    private func access<Value: Sendable>(
        _ body: (inout sending State) throws(StoreError) -> sending Value
    ) throws(StoreError) -> Value {
        defer { changes.happened() }
        return try state.withLock { (state) throws(StoreError) -> Value in
            guard !state.isBroken else { throw .unavailable("broken on purpose") }
            return try body(&state)
        }
    }

    // MARK: For tests

    func add(_ entry: InboxEntry, of device: UInt64, mayReturn: Bool = false) {
        state.withLock { $0.rows.append(Row(entry: entry, device: device, mayReturn: mayReturn)) }
    }

    func lastConnected(_ device: UInt64, at time: Timestamp) { state.withLock { $0.connections[device] = time } }

    var waiting: [DeliveryID] { state.withLock { $0.rows.map(\.entry.id) } }
    var settled: [FinishedDelivery] { state.withLock(\.settled) }
    var upstream: [UpstreamMessage] { state.withLock(\.upstream) }
    var discarded: [UInt64] { state.withLock(\.discarded) }
    var pruned: [Timestamp] { state.withLock(\.pruned) }

    // MARK: Inboxes

    func inbox(of device: UInt64, after id: DeliveryID, limit: Int) throws(StoreError) -> [InboxEntry] {
        try access { state in
            Array(state.rows.filter { $0.device == device && $0.entry.id > id }.map(\.entry).prefix(limit))
        }
    }

    func inboxEntries(_ ids: [DeliveryID], of device: UInt64) throws(StoreError) -> [InboxEntry] {
        try access { state in
            state.rows.filter { $0.device == device && ids.contains($0.entry.id) }.map(\.entry)
        }
    }

    func settle(_ inboxes: [InboxSettlements]) async throws(StoreError) -> SettledInbox {
        try access { state in
            var settled = SettledInbox()
            for (device, settlement) in inboxes.flatMap({ one in one.entries.map { (one.device, $0) } }) {
                let place = state.rows.firstIndex { $0.device == device && $0.entry.id == settlement.finished.id }
                guard let place else { continue }
                state.rows.remove(at: place)
                guard settlement.finished.message.value != 0 else { continue }
                settled.ended.append(settlement.finished)
                state.settled.append(settlement.finished)
                if let receipt = settlement.receipt { settled.receipts.append(Self.add(receipt, to: &state)) }
            }
            return settled
        }
    }

    func discardInbox(of device: UInt64, at time: Timestamp) async throws(StoreError) -> [FinishedDelivery] {
        try access { state in
            state.discarded.append(device)
            return []
        }
    }

    func returnToGateway(
        device: UInt64, registration: RegistrationID?
    ) async throws(StoreError) -> [QueuedDelivery] {
        try access { state in
            let returned = state.rows.filter { row in
                row.mayReturn && row.device == device && registration.map { $0 == row.entry.recipient.id } ?? true
            }
            state.rows.removeAll { row in returned.contains { $0.entry.id == row.entry.id } }
            return returned.compactMap { row in
                guard case .message(let message) = row.entry.content else { return nil }
                return QueuedDelivery(id: row.entry.id, message: message, recipient: row.entry.recipient)
            }
        }
    }

    func sweepInboxes(
        after id: DeliveryID, rows limit: Int, at time: Timestamp
    ) async throws(StoreError) -> (ended: [FinishedDelivery], next: DeliveryID?) {
        try access { state in
            let rows = state.rows.filter { $0.entry.id > id }.prefix(1)
            let expired = rows.filter { $0.entry.expiresAt <= time }
            state.rows.removeAll { row in expired.contains { $0.entry.id == row.entry.id } }
            let ended = expired.map { row in
                FinishedDelivery(
                    id: row.entry.id, message: MessageID(value: 1), project: row.entry.recipient.project,
                    registration: row.entry.recipient.id, outcome: .expired, time: time)
            }
            return (ended, rows.last?.entry.id)
        }
    }

    func lastConnection(of device: UInt64) throws(StoreError) -> Timestamp? { try access { $0.connections[device] } }

    func noteConnection(of device: UInt64, at time: Timestamp) async throws(StoreError) {
        try access { $0.connections[device] = time }
    }

    // MARK: Upstream

    private static func add(_ draft: UpstreamDraft, to state: inout State) -> UpstreamMessage {
        let message = UpstreamMessage(id: UpstreamID(value: Int64(state.upstream.count + 1)), content: draft)
        state.upstream.append(message)
        return message
    }

    func acceptUpstream(
        _ draft: UpstreamDraft, from origin: UpstreamOrigin?
    ) async throws(StoreError) -> UpstreamMessage? {
        try access { state in
            if let origin, !state.origins.insert(origin).inserted { return nil }
            return Self.add(draft, to: &state)
        }
    }

    func knowsUpstream(from origin: UpstreamOrigin) throws(StoreError) -> Bool {
        try access { $0.origins.contains(origin) }
    }

    func rememberUpstream(
        from origin: UpstreamOrigin, to project: ProjectNumber, expiresAt: Timestamp
    ) async throws(StoreError) {
        _ = try access { $0.origins.insert(origin).inserted }
    }

    func openUpstream(
        of project: ProjectNumber, after id: UpstreamID, limit: Int
    ) throws(StoreError) -> [UpstreamMessage] { [] }

    func closeUpstream(_ ids: [UpstreamID]) async throws(StoreError) {}

    func upstreamQueueIDs(of device: UInt64, limit: Int) throws(StoreError) -> [String] {
        try access { state in state.origins.filter { $0.device == device }.map(\.queueID).sorted() }
    }

    func pruneUpstream(expiredBefore time: Timestamp) async throws(StoreError) {
        try access { $0.pruned.append(time) }
    }

    func liveRegistrations(ofDevice androidID: UInt64) throws(StoreError) -> [Registration] {
        var found: [Registration] = []
        for id in 1...20 as ClosedRange<Int64> {
            guard let one = try registrations.registration(RegistrationID(value: id)) else { break }
            if one.androidID == androidID, one.ending == nil { found.append(one) }
        }
        return found
    }
}

extension InMemoryInboxStore: RegistrationStore {
    func addDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) {
        try await registrations.addDevice(device, at: time)
    }

    func confirmDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) -> Bool {
        try await registrations.confirmDevice(device, at: time)
    }

    func isDevice(_ device: DeviceCredentials) throws(StoreError) -> Bool { try registrations.isDevice(device) }

    func knowsDevice(androidID: UInt64) throws(StoreError) -> Bool {
        try registrations.knowsDevice(androidID: androidID)
    }

    func putInstallation(_ installation: Installation) async throws(StoreError) {
        try await registrations.putInstallation(installation)
    }

    func installation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber
    ) throws(StoreError) -> Installation? { try registrations.installation(fid, in: project) }

    func deleteInstallation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try await registrations.deleteInstallation(fid, in: project, at: time)
    }

    func register(_ draft: RegistrationDraft) async throws(StoreError) -> Registration {
        try await registrations.register(draft)
    }

    func registration(_ id: RegistrationID) throws(StoreError) -> Registration? { try registrations.registration(id) }

    func registration(fid: String, in project: ProjectNumber) throws(StoreError) -> Registration? {
        try registrations.registration(fid: fid, in: project)
    }

    func hasKnown(fid: String, in project: ProjectNumber) throws(StoreError) -> Bool {
        try registrations.hasKnown(fid: fid, in: project)
    }

    func end(_ id: RegistrationID, _ ending: Registration.Ending, at time: Timestamp) async throws(StoreError) {
        try await registrations.end(id, ending, at: time)
    }

    func endUnregistered(
        _ id: RegistrationID, address: APNsAddress, invalidAt: Timestamp?, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try await registrations.endUnregistered(id, address: address, invalidAt: invalidAt, at: time)
    }

    func setEnvironment(_ environment: APNsEnvironment, of id: RegistrationID) async throws(StoreError) {
        try await registrations.setEnvironment(environment, of: id)
    }

    func endRegistrations(_ filter: RegistrationFilter, at time: Timestamp) async throws(StoreError) -> Int {
        try await registrations.endRegistrations(filter, at: time)
    }
}
