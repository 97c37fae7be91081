import EventLoop
import JSON
import PharosCommands
import PushCore
import PushModel
import SQLiteStore
import Synchronization
import Timekeeping

extension BenchLoad {
    /// A topic of devices that are all away: splitting it into inboxes, then each of them logs in, reads and
    /// acknowledges what waits.
    static let inbox = BenchLoad(
        name: "inbox",
        summary: "fan-out into inboxes, and draining them. --data-dir DIR --devices N --messages N --at-once N"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        let devices = try await world.registerOnChannel(try arguments.count("devices", default: 100_000))
        let messages = max(2, try arguments.count("messages", default: 3))
        let load = try InboxLoad(world: world, devices: devices, messagesPerDevice: messages + 1)
        try await load.subscribe()
        var result: JSONObject = ["fan_out_empty": .object(try await load.fanOut())]
        for _ in 1..<messages { result["fan_out_waiting"] = .object(try await load.fanOut()) }
        result["fan_out_collapsible"] = .object(try await load.fanOut(key: "score"))
        result["fan_out_superseding"] = .object(try await load.fanOut(key: "score"))
        result["drain"] = .object(try await load.drain(atOnce: try arguments.count("at-once", default: 64)))
        await load.end()
        world.store.close()
        return result
    }
}

private final class InboxLoad: Sendable {
    private static let pageEntries = 50

    /// What each device has in its inbox in the end.
    private let messagesPerDevice: Int
    private let everybody: TopicName
    private let world: BenchWorld
    private let devices: [(registration: Registration, credentials: DeviceCredentials)]
    private let loops: EventLoopGroup
    private let splits = SplitWaiter()
    private let inboxes: DeviceInboxes
    private let fanOuts: FanOut
    private let drained = Mutex(0)

    init(
        world: BenchWorld, devices: [(registration: Registration, credentials: DeviceCredentials)],
        messagesPerDevice: Int
    ) throws {
        guard let topic = TopicName("everybody") else { throw BenchFailure.failed("no topic name") }
        everybody = topic
        self.messagesPerDevice = messagesPerDevice
        self.world = world
        self.devices = devices
        loops = try EventLoopGroup(count: 2)
        let live = LiveDevices()
        let planner = DeliveryPlanner(live: live, registrations: world.store, tokens: world.tokens)
        let gateways = NoGateways()
        inboxes = DeviceInboxes(
            store: world.store, translator: DeviceMessageTranslator(planner: planner) { _, _, _ in nil },
            gateways: gateways, observer: splits, clock: world.clock, tokens: world.tokens, receipts: { _ in })
        fanOuts = FanOut(
            store: world.store, topics: world.store, planner: planner,
            deliveries: DeliveryDistributor(gateways: gateways, live: live, inboxes: inboxes),
            delays: BenchDelays(loop: loops.next()), clock: world.clock, observers: [splits])
    }

    func subscribe() async throws {
        try await world.join(everybody.text, devices.map(\.registration.id).sorted())
    }

    /// From the acceptance until the last row is durable.
    func fanOut(key: String? = nil) async throws -> JSONObject {
        let now = world.clock.now()
        var content = BenchWorld.content
        // Notifications that wait for an Android app replace each other.
        content.notification = nil
        if let key { content.android = AndroidOptions(collapseKey: key) }
        let message = ValidatedMessage(
            id: MessageID(value: now.milliseconds * 1000), project: world.project, target: .topic(everybody),
            message: content, acceptedAt: now, expiresAt: now.adding(seconds: 2_419_200))
        let watch = Stopwatch()
        try await splits.wait(for: message.id) { try await self.fanOuts.submit(message) }
        return watch.report(devices.count)
    }

    /// Each caller takes one device after the other from its login to its last acknowledgement.
    func drain(atOnce: Int) async throws -> JSONObject {
        let watch = Stopwatch()
        let callers = (0..<max(1, atOnce)).map { caller in
            Task(executorPreference: loops.next()) { [self] in
                for number in stride(from: caller, to: devices.count, by: max(1, atOnce)) {
                    try await drain(devices[number].credentials)
                }
            }
        }
        for caller in callers { try await caller.value }
        let count = drained.withLock { $0 }
        guard count == devices.count * messagesPerDevice else {
            throw BenchFailure.failed("\(count) messages were drained.")
        }
        return watch.report(count)
    }

    private func drain(_ device: DeviceCredentials) async throws {
        guard case .admitted = try await inboxes.login(device, received: []) else {
            throw BenchFailure.failed("A device is refused.")
        }
        let page = try await inboxes.page(of: device.androidID, after: DeliveryID(value: 0), limit: Self.pageEntries)
        for outgoing in page.outgoing { inboxes.written(outgoing, to: device.androidID) }
        try await inboxes.acknowledged(page.outgoing, by: device.androidID)
        drained.withLock { $0 += page.outgoing.count }
    }

    func end() async {
        await fanOuts.drain()
        loops.shutDown()
    }
}

extension BenchWorld {
    /// Devices with a connection of their own, and an app on each.
    fileprivate func registerOnChannel(
        _ count: Int
    ) async throws -> [(registration: Registration, credentials: DeviceCredentials)] {
        let registrations = try await register(count, kind: .channel)
        return registrations.map { registration in
            (
                registration,
                DeviceCredentials(androidID: registration.androidID, securityToken: Self.channelSecret)
            )
        }
    }
}

/// Wakes who waits for the last chunk of a fan-out.
private final class SplitWaiter: DeliveryObserver {
    private struct State {
        var split: Set<MessageID> = []
        var waiter: (message: MessageID, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    func wait(for message: MessageID, _ start: @escaping @Sendable () async throws -> Void) async throws {
        try await start()
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.split.contains(message) { state.waiter = (message, continuation) }
                return state.split.contains(message)
            }
            if isDone { continuation.resume() }
        }
    }

    func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool) {
        guard isLast else { return }
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.split.insert(message.id)
            guard let waiter = state.waiter, waiter.message == message.id else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume()
    }

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}
}

private struct NoGateways: DeliverySubmission {
    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {}
    func hasRoomForFanOut(of project: ProjectNumber) -> Bool { true }
}
