import PushCore
import PushModel
import Synchronization
import Timekeeping

/// The direct channel between fakes.
final class DirectChannelWorld: DeliverySubmission, DeliveryObserver {
    static let device: UInt64 = 42
    static let credentials = DeviceCredentials(androidID: device, securityToken: 7)
    static let start = DeliveryID(value: 0)

    private struct State {
        var submitted: [QueuedDelivery] = []
        var ended: [FinishedDelivery] = []
        var written: [(DeliveryID, DeviceMessage)] = []
        var receipts: [UpstreamMessage] = []
    }

    let store = InMemoryInboxStore()
    let live = LiveDevices(shards: 2)
    let clock = ManualClock(Sample.acceptedAt)
    let tokens = RegistrationTokenCodec(sealing: TestSealing.make())
    private let state = Mutex(State())

    var planner: DeliveryPlanner { DeliveryPlanner(live: live, registrations: store, tokens: tokens) }

    var translator: DeviceMessageTranslator {
        DeviceMessageTranslator(planner: planner) { plaintext, key, _ in
            guard key != "bad" else { return nil }
            return EncryptedContent(
                body: Array(plaintext.reversed()), contentEncoding: "aesgcm", cryptoKey: "dh=k", encryption: "salt=s",
                from: "")
        }
    }

    var inboxes: DeviceInboxes {
        DeviceInboxes(
            store: store, translator: translator, gateways: self, observer: self, clock: clock, tokens: tokens,
            receipts: { [self] receipt in state.withLock { $0.receipts.append(receipt) } })
    }

    /// A session that notes what it hears.
    final class Session: DeviceSession {
        private let rung = Mutex<[DeliveryID]>([])

        var ids: [DeliveryID] { rung.withLock(\.self) }
        func ring(_ delivery: QueuedDelivery) { rung.withLock { $0.append(delivery.id) } }
        func end() {}
    }

    func connect(_ device: UInt64 = device) -> Session {
        let session = Session()
        _ = live.enter(session, device: device)
        return session
    }

    static func recipient(
        _ id: Int64 = 1, channel: Registration.Channel = .device, device: UInt64 = device, subtype: String = "",
        sender: String = Sample.project().number.description, ending: Registration.Ending? = nil
    ) -> Registration {
        var recipient = Sample.registration(id, channel: channel)
        (recipient.androidID, recipient.subtype, recipient.sender) = (device, subtype, sender)
        recipient.ending = ending
        return recipient
    }

    /// Puts a message into the inbox.
    @discardableResult func put(
        _ id: Int64, _ message: Message = Message(data: Sample.data(("k", "v"))),
        for recipient: Registration = recipient(), lifetime: Int64 = 3_600, mayReturn: Bool = false
    ) -> QueuedDelivery {
        let message = Sample.message(message, id: 1_000_000 + id)
        store.add(
            InboxEntry(
                id: DeliveryID(value: id), content: .message(message), recipient: recipient,
                expiresAt: Sample.acceptedAt.adding(seconds: lifetime)), of: recipient.androidID, mayReturn: mayReturn)
        return QueuedDelivery(
            id: DeliveryID(value: id), message: message, recipient: recipient,
            inbox: InboxPosition(device: recipient.androidID, previous: nil))
    }

    func putNote(_ id: Int64, _ count: Int, for recipient: Registration = recipient()) {
        store.add(
            InboxEntry(
                id: DeliveryID(value: id), content: .dropped(count: count), recipient: recipient,
                expiresAt: Timestamp(milliseconds: .max)), of: recipient.androidID)
    }

    static func name(_ id: Int64) -> String {
        PersistentID.text(of: DeliveryID(value: id), message: MessageID(value: 1_000_000 + id))
    }

    // MARK: What was heard

    var submitted: [DeliveryID] { state.withLock { $0.submitted.map(\.id) } }
    var ended: [FinishedDelivery] { state.withLock(\.ended) }
    var written: [DeliveryID] { state.withLock { $0.written.map(\.0) } }
    var receipts: [UpstreamMessage] { state.withLock(\.receipts) }

    func waitForEnds(_ count: Int) async { await store.changes.wait { [self] in ended.count >= count } }
    func waitForSubmissions(_ count: Int) async { await store.changes.wait { [self] in submitted.count >= count } }

    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {
        state.withLock { $0.submitted += deliveries }
        store.changes.happened()
    }

    func hasRoomForFanOut(of project: ProjectNumber) -> Bool { true }

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}

    func ended(_ delivery: FinishedDelivery) {
        state.withLock { $0.ended.append(delivery) }
        store.changes.happened()
    }

    func written(_ delivery: QueuedDelivery, as outgoing: OutgoingDelivery) {
        state.withLock { $0.written.append((delivery.id, outgoing.message)) }
    }
}
