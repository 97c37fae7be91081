import PushCore
import PushModel
import Synchronization
import Timekeeping

/// A fan-out between fakes. Registrations exist for every id that is asked for.
final class FanOutWorld: FanOutStore, DeliverySubmission, DeliveryObserver {
    struct Stored: Sendable {
        var fanOut: OpenFanOut
        var members = 0
        var isSplit = false
    }

    private struct State {
        var fanOuts: [MessageID: Stored] = [:]
        var lastDelivery: Int64 = 0
        var submitted: [QueuedDelivery] = []
        var waiting: [(QueuedDelivery, FirstOutcomeObserver?)] = []
        var mostWaiting = 0
        var hasRoom = true
        var failures = 0
        var accepted: [MessageID] = []
        var reached: [MessageID: Int] = [:]
        var ended: Set<MessageID> = []
    }

    let changes = Changes()
    let topics = TabledMemberships()
    let clock = ManualClock(Sample.acceptedAt)
    let scheduler: ManualScheduler
    private let state = Mutex(State())

    init() { scheduler = ManualScheduler(changes) }

    func fanOut(_ configuration: FanOutConfiguration = .init()) -> FanOut {
        FanOut(
            store: self, topics: topics, deliveries: self, delays: scheduler, clock: clock, observers: [self],
            configuration: configuration)
    }

    static let small: FanOutConfiguration = {
        var configuration = FanOutConfiguration()
        configuration.membersPerChunk = 10
        configuration.deliveriesUnderWayPerProject = 20
        return configuration
    }()

    func message(_ id: Int64, to topic: TopicName, project: UInt64 = 1) -> ValidatedMessage {
        Sample.message(
            Message(notification: .init(title: "A")), target: .topic(topic), id: id,
            project: Sample.project("sample-project-\(project)", number: project))
    }

    // MARK: Store

    func acceptFanOut(_ message: ValidatedMessage) async throws(StoreError) {
        state.withLock { $0.fanOuts[message.id] = Stored(fanOut: OpenFanOut(message: message)) }
    }

    func openFanOuts() throws(StoreError) -> [OpenFanOut] {
        state.withLock { state in
            state.fanOuts.values.filter { !$0.isSplit }.map(\.fanOut).sorted { $0.message.id < $1.message.id }
        }
    }

    func extendFanOut(
        _ message: MessageID, by chunk: FanOutChunk, deliveries: [PlannedDelivery]
    ) async throws(StoreError) -> Acceptance? {
        try state.withLock { (state) throws(StoreError) in
            guard state.failures == 0 else {
                state.failures -= 1
                throw .unavailable("broken on purpose")
            }
            guard var stored = state.fanOuts[message] else { return nil }
            stored.fanOut.cursor = chunk.cursor
            stored.members += chunk.members.count
            stored.isSplit = chunk.isLast
            state.fanOuts[message] = stored
            return Acceptance(
                deliveries: deliveries.map { _ in
                    state.lastDelivery += 1
                    return AcceptedDelivery(id: DeliveryID(value: state.lastDelivery))
                })
        }
    }

    /// Every tenth is an Android app: `com.example.even` and `com.example.odd` in turn.
    func liveRegistrations(_ ids: [RegistrationID]) throws(StoreError) -> [Registration] {
        ids.map { id in
            var registration = Sample.registration(id.value)
            guard id.value.isMultiple(of: 10) else { return registration }
            registration.channel = .device
            registration.bundleID = id.value.isMultiple(of: 20) ? "com.example.even" : "com.example.odd"
            return registration
        }
    }

    // MARK: Deliveries

    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {
        state.withLock { state in
            state.submitted += deliveries
            state.waiting += deliveries.map { ($0, observer) }
            state.mostWaiting = max(state.mostWaiting, state.waiting.count)
        }
        changes.happened()
    }

    func hasRoomForFanOut(of project: ProjectNumber) -> Bool { state.withLock(\.hasRoom) }

    /// Gives the oldest waiting deliveries their first outcome.
    func answer(_ count: Int, _ outcome: FirstOutcome = .finished(.accepted(providerID: "id"))) {
        let answered = state.withLock { state in
            defer { state.waiting.removeFirst(min(count, state.waiting.count)) }
            return Array(state.waiting.prefix(count))
        }
        for (delivery, observer) in answered { _ = observer?(delivery, outcome) }
    }

    // MARK: Observer

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {
        state.withLock { $0.accepted.append(message.id) }
    }

    func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool) {
        state.withLock { state in
            state.reached[message.id, default: 0] += recipients.count
            if isLast { state.ended.insert(message.id) }
        }
        changes.happened()
    }

    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}

    // MARK: Asking

    var submitted: [QueuedDelivery] { state.withLock(\.submitted) }
    var waiting: Int { state.withLock(\.waiting.count) }
    var mostWaiting: Int { state.withLock(\.mostWaiting) }
    var accepted: [MessageID] { state.withLock(\.accepted) }

    func recipients(of id: Int64) -> [Int64] {
        submitted.filter { $0.message.id.value == id }.map(\.recipient.id.value)
    }

    func hasEnded(_ id: Int64) -> Bool { state.withLock { $0.ended.contains(MessageID(value: id)) } }
    func reached(_ id: Int64) -> Int { state.withLock { $0.reached[MessageID(value: id)] ?? 0 } }
    func setRoom(_ hasRoom: Bool) { state.withLock { $0.hasRoom = hasRoom } }
    func fail(_ times: Int) { state.withLock { $0.failures = times } }
    func lose(_ id: Int64) { state.withLock { $0.fanOuts[MessageID(value: id)] = nil } }

    /// Waits until so many deliveries wait for their answer.
    func waitForDeliveries(_ count: Int) async { await changes.wait { [self] in waiting >= count } }

    /// Waits until a delivery wants its answer or the fan-out has ended.
    /// - Returns: Whether it has not ended.
    func goesOn(_ id: Int64) async -> Bool {
        await changes.wait { [self] in waiting > 0 || hasEnded(id) }
        return !hasEnded(id)
    }
}
