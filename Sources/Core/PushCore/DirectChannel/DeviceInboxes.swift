public import PushModel
public import Timekeeping

/// What a device's connection needs of the service: who the device is, what waits for it, and what it has.
///
/// Everything that a method changes is durable when it returns.
public final class DeviceInboxes: Sendable {
    /// What came of a login.
    public enum LoginAnswer: Sendable, Equatable {
        /// The device has these messages of its own queue confirmed; oldest first.
        case admitted(knownUpstream: [String])
        case refused
    }

    static let namesPerLogin = 100
    /// How exactly it is known when a device was connected last.
    private static let visitSeconds: Int64 = 3_600

    let store: any InboxStore
    let registrations: any RegistrationStore
    private let upstream: any UpstreamStore
    let translator: DeviceMessageTranslator
    private let gateways: any DeliverySubmission
    let observer: any DeliveryObserver
    let clock: any WallClock
    let tokens: RegistrationTokenCodec
    private let receipts: @Sendable (UpstreamMessage) -> Void

    /// - Parameters:
    ///   - gateways: Takes what a device that left did not acknowledge.
    ///   - receipts: Takes the receipts that the device's acknowledgements make, stored already.
    public init(
        store: any InboxStore & UpstreamStore & RegistrationStore, translator: DeviceMessageTranslator,
        gateways: any DeliverySubmission, observer: any DeliveryObserver, clock: any WallClock,
        tokens: RegistrationTokenCodec, receipts: @escaping @Sendable (UpstreamMessage) -> Void
    ) {
        self.store = store
        registrations = store
        upstream = store
        self.translator = translator
        self.gateways = gateways
        self.observer = observer
        self.clock = clock
        self.tokens = tokens
        self.receipts = receipts
    }

    /// Checks who the device is and takes what it has already out of its inbox.
    ///
    /// - Parameter received: The ids of messages that it says it has. Texts of another form are passed over.
    public func login(
        _ device: DeviceCredentials, received: [String]
    ) async throws(StoreError) -> LoginAnswer {
        guard try registrations.isDevice(device) else { return .refused }
        let now = clock.now()
        try await acknowledged(named: received, by: device.androidID)
        let last = try store.lastConnection(of: device.androidID)
        if let last, last.adding(seconds: InboxLimits.longestAbsenceSeconds) < now {
            for delivery in try await store.discardInbox(of: device.androidID, at: now) { observer.ended(delivery) }
        }
        // After what was dropped: a device whose login ends half-way is as long away at the next one.
        try await noteConnection(of: device.androidID, after: last, at: now)
        return .admitted(
            knownUpstream: try upstream.upstreamQueueIDs(of: device.androidID, limit: Self.namesPerLogin))
    }

    /// Notes that the device is still there. Once a day is enough for one that stays connected.
    public func noteVisit(of device: DeviceCredentials) async throws(StoreError) {
        try await noteConnection(
            of: device.androidID, after: try store.lastConnection(of: device.androidID), at: clock.now())
    }

    /// Absences are counted in days: connections that follow one another are worth one write.
    private func noteConnection(
        of device: UInt64, after last: Timestamp?, at now: Timestamp
    ) async throws(StoreError) {
        if let last, last <= now, now < last.adding(seconds: Self.visitSeconds) { return }
        try await store.noteConnection(of: device, at: now)
    }

    // MARK: What waits

    /// The next entries after an id. What expired or can never be delivered is settled and left out.
    public func page(
        of device: UInt64, after id: DeliveryID, limit: Int
    ) async throws(StoreError) -> InboxPage {
        let entries = try store.inbox(of: device, after: id, limit: limit)
        var page = InboxPage(outgoing: [], last: entries.last?.id ?? id, isEnd: entries.count < limit)
        var over: [InboxSettlement] = []
        for entry in entries {
            switch outgoing(entry) {
            case .success(let delivery): page.outgoing.append(delivery)
            case .failure(let reason): over.append(InboxSettlement(finished: finished(entry, reason.outcome)))
            }
        }
        if !over.isEmpty { try await settle(over, of: device) }
        return page
    }

    private struct End: Error {
        var outcome: DeliveryOutcome
    }

    private func outgoing(_ entry: InboxEntry) -> Result<OutgoingDelivery, End> {
        guard entry.recipient.ending == nil else { return .failure(End(outcome: .failed(.unregistered))) }
        switch entry.content {
        case .dropped(let count):
            let note = translator.note(
                of: count, as: entry.id, for: entry.recipient,
                at: MessageID(value: clock.now().milliseconds * 1000))
            return .success(
                OutgoingDelivery(id: entry.id, message: note, content: .note(entry.recipient)))
        case .message(let message):
            let delivery = QueuedDelivery(id: entry.id, message: message, recipient: entry.recipient)
            guard entry.expiresAt > clock.now() else { return .failure(End(outcome: .expired)) }
            return translated(delivery)
        }
    }

    private func translated(_ delivery: QueuedDelivery) -> Result<OutgoingDelivery, End> {
        do throws(SendError) {
            let message = try translator.translate(delivery.message, as: delivery.id, for: delivery.recipient)
            return .success(
                OutgoingDelivery(id: delivery.id, message: message, content: .message(delivery)))
        } catch {
            return .failure(End(outcome: .failed(error)))
        }
    }

    /// A delivery that was stored just now; `nil` when the device can never get it, which then is noted.
    ///
    /// A message that is now or never is not expired here: it may be written at once.
    public func outgoing(_ delivery: QueuedDelivery) -> OutgoingDelivery? {
        switch translated(delivery) {
        case .success(let outgoing): return outgoing
        case .failure(let reason):
            guard let device = delivery.inbox?.device else { return nil }
            end(delivery, reason.outcome, of: device)
            return nil
        }
    }

    /// As `outgoing(_:)`, for one of many devices of a message: `earlier` was translated for another device, and this
    /// one `reads(like:)` that.
    public func outgoing(_ delivery: QueuedDelivery, like earlier: OutgoingDelivery) -> OutgoingDelivery {
        let persistentID =
            earlier.isNowOrNever ? "" : PersistentID.text(of: delivery.id, message: delivery.message.id)
        return OutgoingDelivery(delivery, like: earlier, persistentID: persistentID)
    }

    // MARK: What the device has

    /// The delivery was handed to the device's connection. One that is now or never has ended.
    public func written(_ outgoing: OutgoingDelivery, to device: UInt64) {
        guard case .message(let delivery) = outgoing.content else { return }
        observer.written(delivery, as: outgoing)
        if outgoing.isNowOrNever { end(delivery, .accepted(providerID: ""), of: device) }
    }

    /// The device acknowledged deliveries that were written on this connection.
    public func acknowledged(_ deliveries: [OutgoingDelivery], by device: UInt64) async throws(StoreError) {
        try await acknowledged([Acknowledgement(device: device, deliveries: deliveries)])
    }

    /// As above, for devices that acknowledged at about the same time.
    public func acknowledged(_ acknowledgements: [Acknowledgement]) async throws(StoreError) {
        let now = clock.now()
        try await settle(
            acknowledgements.map { one in
                InboxSettlements(device: one.device, entries: one.deliveries.map { settlement(of: $0, at: now) })
            })
    }

    /// The device acknowledged deliveries by their names. Names that this service did not give are passed over.
    public func acknowledged(named names: [String], by device: UInt64) async throws(StoreError) {
        var named: [DeliveryID: MessageID] = [:]
        for name in names {
            guard let parsed = PersistentID.parse(name) else { continue }
            named[parsed.delivery] = parsed.message
        }
        guard !named.isEmpty else { return }
        let entries = try store.inboxEntries(named.keys.sorted(), of: device)
        try await settle(entries.filter { $0.isNamed(named[$0.id]) }, by: device)
    }

    /// Ends a delivery that the device cannot or need not have any more. Returns at once.
    public func end(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome, of device: UInt64) {
        let settlement = InboxSettlement(finished: finished(delivery.id, delivery.message, delivery.recipient, outcome))
        // Nobody waits for it; a crash before it is written leaves a row that is settled when it is read next.
        Task { try? await settle([settlement], of: device) }
    }

    private func settle(_ entries: [InboxEntry], by device: UInt64) async throws(StoreError) {
        let settlements = entries.map { entry in
            guard case .message(let message) = entry.content else {
                return InboxSettlement(finished: finished(entry, .accepted(providerID: "")))
            }
            let delivery = QueuedDelivery(id: entry.id, message: message, recipient: entry.recipient)
            return settlement(of: delivery)
        }
        try await settle(settlements, of: device)
    }

    private func settle(_ settlements: [InboxSettlement], of device: UInt64) async throws(StoreError) {
        guard !settlements.isEmpty else { return }
        try await settle([InboxSettlements(device: device, entries: settlements)])
    }

    private func settle(_ inboxes: [InboxSettlements]) async throws(StoreError) {
        let settled = try await store.settle(inboxes)
        for finished in settled.ended { observer.ended(finished) }
        for receipt in settled.receipts { receipts(receipt) }
    }

    private func settlement(of outgoing: OutgoingDelivery, at time: Timestamp) -> InboxSettlement {
        switch outgoing.content {
        case .message(let delivery):
            InboxSettlement(
                finished: FinishedDelivery(
                    id: delivery.id, message: delivery.message.id, project: delivery.message.project.number,
                    registration: delivery.recipient.id,
                    outcome: .accepted(providerID: outgoing.persistentID), time: time,
                    dimensions: ReportDimensions(delivery.message.message, to: delivery.recipient)),
                receipt: receipt(of: delivery))
        case .note(let recipient):
            InboxSettlement(
                finished: FinishedDelivery(
                    id: outgoing.id, message: MessageID(value: 0), project: recipient.project,
                    registration: recipient.id, outcome: .accepted(providerID: ""), time: time))
        }
    }

    private func settlement(of delivery: QueuedDelivery) -> InboxSettlement {
        let id = PersistentID.text(of: delivery.id, message: delivery.message.id)
        return InboxSettlement(
            finished: finished(delivery.id, delivery.message, delivery.recipient, .accepted(providerID: id)),
            receipt: receipt(of: delivery))
    }

    private func finished(_ entry: InboxEntry, _ outcome: DeliveryOutcome) -> FinishedDelivery {
        guard case .message(let message) = entry.content else {
            return FinishedDelivery(
                id: entry.id, message: MessageID(value: 0), project: entry.recipient.project,
                registration: entry.recipient.id, outcome: outcome, time: clock.now())
        }
        return finished(entry.id, message, entry.recipient, outcome)
    }

    private func finished(
        _ id: DeliveryID, _ message: ValidatedMessage, _ recipient: Registration, _ outcome: DeliveryOutcome
    ) -> FinishedDelivery {
        FinishedDelivery(
            id: id, message: message.id, project: message.project.number, registration: recipient.id,
            outcome: outcome, time: clock.now(), dimensions: ReportDimensions(message.message, to: recipient))
    }

    // MARK: Leaving

    /// The device's connection ended, and no newer one took its place: what APNs may bring instead goes there.
    public func disconnected(_ device: DeviceCredentials) async throws(StoreError) {
        try await returnToGateway(device: device.androidID, registration: nil)
        try await noteVisit(of: device)
    }

    /// The device left between the planning of a delivery and its storing. Returns at once.
    func returnToGateway(from device: UInt64) {
        // Nobody waits for it; after a crash the store does the same when it is opened.
        Task { try? await returnToGateway(device: device, registration: nil) }
    }

    /// An app that had no APNs token when messages came for it has one now.
    public func registrationChanged(_ registration: Registration, isConnected: Bool) async throws(StoreError) {
        guard case .apple(_?) = registration.channel, registration.androidID != 0, !isConnected else { return }
        try await returnToGateway(device: registration.androidID, registration: registration.id)
    }

    private func returnToGateway(device: UInt64, registration: RegistrationID?) async throws(StoreError) {
        let returned = try await store.returnToGateway(device: device, registration: registration)
        if !returned.isEmpty { gateways.submit(returned, firstOutcome: nil) }
    }
}

extension InboxEntry {
    /// Whether a device that names this message with the number of the entry means this one. The name of a note tells
    /// only when it was written.
    fileprivate func isNamed(_ message: MessageID?) -> Bool {
        guard case .message(let content) = content else { return true }
        return content.id == message
    }
}
