import PushCore
import PushModel
import Synchronization
import Testing

@Suite struct `Stored deliveries on their way` {
    typealias World = DirectChannelWorld

    private final class Outcomes: Sendable {
        let all = Mutex<[DeliveryID]>([])

        var observer: FirstOutcomeObserver {
            { [self] delivery, outcome in
                if outcome == .waiting(nil) { all.withLock { $0.append(delivery.id) } }
                return .keepTrying
            }
        }
    }

    private func distributor(_ world: World) -> DeliveryDistributor {
        DeliveryDistributor(gateways: world, live: world.live, inboxes: world.inboxes)
    }

    @Test func `go to the gateways, to connections, or stay in their inbox`() {
        let world = World()
        let session = world.connect()
        let connected = world.put(1)
        let away = world.put(2, for: World.recipient(2, device: 43))
        let forAPNs = QueuedDelivery(
            id: DeliveryID(value: 3), message: connected.message,
            recipient: World.recipient(3, channel: .apple(Sample.address())))
        let outcomes = Outcomes()
        distributor(world).submit([connected, forAPNs, away], firstOutcome: outcomes.observer)
        #expect(session.ids.map(\.value) == [1])
        #expect(world.submitted.map(\.value) == [3])
        #expect(outcomes.all.withLock(\.self).map(\.value) == [1, 2])
        #expect(world.store.waiting.map(\.value) == [1, 2])
    }

    @Test func `what is now or never ends when the device is away`() async {
        let world = World()
        let now = Message(android: AndroidOptions(timeToLive: TimeToLive(seconds: 0)))
        distributor(world).submit([world.put(1, now, lifetime: 0)], firstOutcome: nil)
        await world.waitForEnds(1)
        #expect(world.ended.map(\.outcome) == [.expired])
        #expect(world.store.waiting.isEmpty)
    }

    @Test func `what was meant for a connection that ended meanwhile goes to APNs`() async {
        let world = World()
        let apple = World.recipient(2, channel: .apple(Sample.address()))
        distributor(world).submit([world.put(1, for: apple, mayReturn: true)], firstOutcome: nil)
        await world.waitForSubmissions(1)
        #expect(world.submitted.map(\.value) == [1])
        #expect(world.store.waiting.isEmpty)
    }
}
