import APNsGateway
import EventLoop
import JSON
import PharosCommands
import PushCore
import PushModel
import SQLiteStore
import Synchronization
import Timekeeping

extension BenchLoad {
    /// One send, many devices: subscribing, reading a topic, splitting a topic and a condition over the dispatcher with
    /// a gateway that takes every push at once.
    static let topics = BenchLoad(
        name: "topics", summary: "subscriptions, reading and fan-out. --data-dir DIR --devices N"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        let devices = try await world.register(try arguments.count("devices", default: 100_000), kind: .fid).map(\.id)
        let load = try TopicLoad(world: world, devices: devices.sorted())
        var result: JSONObject = ["subscribe": .object(try await load.subscribe())]
        result["read"] = .object(try load.read())
        result["fan_out_topic"] = .object(try await load.fanOut(.topic(load.everybody), reaching: devices.count))
        result["fan_out_condition"] = .object(try await load.fanOutCondition())
        await load.end()
        world.store.close()
        return result
    }
}

private final class TopicLoad: Sendable {
    private static let page = 1_000

    let everybody: TopicName
    private let parts: [TopicName]
    private let world: BenchWorld
    private let devices: [RegistrationID]
    private let loops: EventLoopGroup
    private let counter = FinishCounter()
    private let fanOut: FanOut

    init(world: BenchWorld, devices: [RegistrationID]) throws {
        let names = ["everybody", "a", "b", "c", "d", "e"].compactMap { TopicName($0) }
        guard let first = names.first, names.count == 6 else { throw BenchFailure.failed("no topic names") }
        everybody = first
        parts = Array(names.dropFirst())
        self.world = world
        self.devices = devices
        loops = try EventLoopGroup(count: 1)
        let delays = BenchDelays(loop: loops.next())
        let ids = Sealing.openSSL(secret: world.store.serverSecret).derived(for: "apns-id")
        let dispatcher = Dispatcher(
            store: world.store, registrations: world.store, directory: world.store, gateway: InstantGateway(),
            scheduler: delays, clock: world.clock, pushIDs: ApplePushIDs { ids.seal($0) }, observers: [counter])
        fanOut = FanOut(
            store: world.store, topics: world.store, deliveries: dispatcher, delays: delays, clock: world.clock,
            observers: [])
    }

    /// Everybody joins one topic, and every second to sixth device one of five others.
    func subscribe() async throws -> JSONObject {
        let watch = Stopwatch()
        try await world.join(everybody.text, devices)
        let result = watch.report(devices.count)
        for (place, topic) in parts.enumerated() {
            try await world.join(topic.text, stride(from: 0, to: devices.count, by: place + 2).map { devices[$0] })
        }
        return result
    }

    /// Reads the topic of everybody from end to end.
    func read() throws -> JSONObject {
        let watch = Stopwatch()
        var count = 0
        var last: RegistrationID?
        repeat {
            let page = try world.store.members(
                of: everybody, in: world.project.number, after: last, limit: Self.page)
            count += page.count
            last = page.count < Self.page ? nil : page.last
        } while last != nil
        guard count == devices.count else { throw BenchFailure.failed("The topic lost members.") }
        return watch.report(count)
    }

    /// The members of `a` or `c`, or of all of `b`, `d` and `e`: five topics.
    func fanOutCondition() async throws -> JSONObject {
        let text = "'b' in topics && 'd' in topics && 'e' in topics || 'a' in topics || 'c' in topics"
        let condition = try TopicConditionParser.parse(text, allowsNegation: false)
        let reached = devices.indices.count {
            ($0 % 3 == 0 && $0 % 5 == 0 && $0 % 6 == 0) || $0 % 2 == 0 || $0 % 4 == 0
        }
        return try await fanOut(.condition(condition), reaching: reached)
    }

    /// From the acceptance to the last recorded outcome.
    func fanOut(_ target: SendTarget, reaching count: Int) async throws -> JSONObject {
        let now = world.clock.now()
        let message = ValidatedMessage(
            id: MessageID(value: now.milliseconds * 1000), project: world.project, target: target,
            message: BenchWorld.content, acceptedAt: now, expiresAt: now.adding(seconds: 86_400))
        let watch = Stopwatch()
        try await counter.wait(for: count) { try await self.fanOut.submit(message) }
        return watch.report(count)
    }

    func end() async {
        await fanOut.drain()
        loops.shutDown()
    }
}

/// Counts outcomes and wakes who waits for so many.
private final class FinishCounter: DeliveryObserver {
    private struct State {
        var missing = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func wait(for count: Int, _ start: @escaping @Sendable () async throws -> Void) async throws {
        state.withLock { $0.missing = count }
        try await start()
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.missing > 0 { state.waiter = continuation }
                return state.missing <= 0
            }
            if isDone { continuation.resume() }
        }
    }

    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {
        let waiter = state.withLock { state in
            state.missing -= 1
            return state.missing == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
}

/// Takes every push at once: what is left is our own work.
private struct InstantGateway: AppleGateway {
    func send(
        _ push: ApplePush, from project: ProjectNumber, bundleID: String,
        completion: @escaping @Sendable (GatewayAnswer) -> Void
    ) {
        completion(.accepted(providerID: push.header("apns-id") ?? ""))
    }
}

struct BenchDelays: DelayScheduler {
    let loop: EventLoop

    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        _ = loop.execute { [loop] in
            loop.schedule(after: .milliseconds(milliseconds), action)
        }
    }
}
