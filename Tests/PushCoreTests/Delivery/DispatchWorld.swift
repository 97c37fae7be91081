import PushCore
import PushModel
import Synchronization
import Timekeeping

/// A dispatcher between fakes.
final class DispatchWorld: Sendable {
    let changes: Changes
    let store: InMemoryDeliveryStore
    let registrations = InMemoryRegistrationStore()
    let directory = CredentialDirectory()
    let gateway: ScriptedGateway
    let browsers: ScriptedBrowserGateway
    let scheduler: ManualScheduler
    let clock: VirtualClock
    let dispatcher: Dispatcher
    let firstOutcomes = Mutex<[FirstOutcome]>([])

    init(
        configuration: DispatcherConfiguration = .init(), store: InMemoryDeliveryStore? = nil,
        changes: Changes = Changes()
    ) {
        self.changes = changes
        self.store = store ?? InMemoryDeliveryStore(changes)
        gateway = ScriptedGateway(changes)
        browsers = ScriptedBrowserGateway(changes)
        scheduler = ManualScheduler(changes)
        clock = VirtualClock(base: ManualClock(Sample.acceptedAt))
        directory.set([.production, .sandbox])
        var configuration = configuration
        configuration.backOff = BackOff(random: { $0.upperBound })
        dispatcher = Dispatcher(
            store: self.store, registrations: registrations, directory: directory, gateway: gateway,
            browsers: browsers, scheduler: scheduler, clock: clock,
            pushIDs: ApplePushIDs { input in
                (0..<32).map { UInt8(truncatingIfNeeded: input.reduce($0) { $0 &* 31 &+ Int($1) }) }
            },
            configuration: configuration)
    }

    func register(
        _ fid: String = Sample.fid, channel: Registration.Channel = .apple(Sample.address()),
        at time: Timestamp = Sample.acceptedAt
    ) async throws -> Registration {
        try await registrations.register(
            RegistrationDraft(
                project: ProjectNumber(value: 123_456_789_012), app: nil, fid: fid, bundleID: "com.example.app",
                channel: channel, isFIDMode: true, androidID: 0, time: time, freshNonce: 1))
    }

    /// Deliveries in the store, as after a commit.
    @discardableResult func commit(
        _ ids: ClosedRange<Int64>, to recipient: Registration, project: Project = Sample.project(),
        message: Message = Message(notification: .init(title: "A"))
    ) -> [QueuedDelivery] {
        let deliveries = ids.map { id in
            QueuedDelivery(
                id: DeliveryID(value: id), message: Sample.message(message, id: 1_000_000 + id, project: project),
                recipient: recipient)
        }
        store.commit(deliveries)
        return deliveries
    }

    /// Commits and submits one delivery.
    func send(
        _ id: Int64 = 1, to recipient: Registration, message: Message = Message(notification: .init(title: "A")),
        decision: WaitingDecision = .keepTrying
    ) {
        let deliveries = commit(id...id, to: recipient, message: message)
        dispatcher.submit(deliveries) { [self] _, outcome in
            firstOutcomes.withLock { $0.append(outcome) }
            changes.happened()
            return decision
        }
    }

    func waitForOutcomes(_ count: Int) async -> [DeliveryOutcome] {
        await changes.wait { [self] in store.outcomes.count >= count }
        return store.outcomes
    }

    var first: [FirstOutcome] { firstOutcomes.withLock { $0 } }

    static func answer(_ status: Int, _ reason: String, timestamp: Int64? = nil) -> GatewayAnswer {
        GatewayAnswer(APNsAnswer(status: status, reason: reason, timestampMilliseconds: timestamp), pushID: "id")
    }
}
