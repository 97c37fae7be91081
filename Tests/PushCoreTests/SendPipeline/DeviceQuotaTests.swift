import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Sends to devices that get too much` {
    typealias World = DirectChannelWorld
    static let limits = DeviceMessageLimits(
        perMinute: 4, perHour: 100, collapsibleBurst: 2, collapsibleIntervalSeconds: 180)

    let world = World()
    let store = NotedDeliveries()

    private func pipeline(_ limits: DeviceMessageLimits? = limits, perProject: Int? = nil) -> SendPipeline {
        let clock = world.clock
        return SendPipeline(
            validator: MessageValidator(),
            resolver: RecipientResolver(
                lookup: RegistrationLookup(registrations: world.store, tokens: world.tokens), groups: OneGroup(),
                groupKeys: DeviceGroupKeyCodec(sealing: TestSealing.make())),
            translator: ApplePushTranslator(), planner: world.planner, store: store, deliveries: world,
            fanOuts: NoFanOuts(), ids: MessageIDSource(clock: clock, after: MessageID(value: 0)), clock: clock,
            delays: ManualScheduler(Changes()), observer: world,
            quota: perProject.map { SendQuota(messagesPerMinute: $0, clock: clock) },
            deviceQuota: limits.map { DeviceQuota($0, clock: clock) }, answerPatienceMilliseconds: 0)
    }

    private func register(
        _ number: UInt64 = 1, channel: Registration.Channel = .device, bundle: String = "com.example.app"
    ) async throws -> Registration {
        try await world.store.register(
            RegistrationDraft(
                project: RegistryWorld.project.number, app: nil, fid: "c\(number)", bundleID: bundle,
                channel: channel, isFIDMode: false, androidID: number, time: Sample.acceptedAt, freshNonce: number))
    }

    private func send(
        _ message: Message = Message(), to recipient: Registration, with pipeline: SendPipeline
    ) async -> SendError? {
        let request = SendRequest(
            project: RegistryWorld.project.id, target: .token(world.tokens.token(of: recipient)), message: message)
        do throws(SendError) {
            _ = try await pipeline.send(request, in: RegistryWorld.project)
            return nil
        } catch {
            return error
        }
    }

    private static func collapsible(_ key: String, _ seconds: Int64 = 60) -> Message {
        Message(android: AndroidOptions(collapseKey: key, timeToLive: TimeToLive(seconds: seconds)))
    }

    @Test func `are refused, leave nothing behind, and are taken again as time passes`() async throws {
        let pipeline = pipeline()
        let (one, other) = (try await register(), try await register(2))
        for _ in 0..<4 { #expect(await send(to: one, with: pipeline) == nil) }
        let error = await send(to: one, with: pipeline)
        #expect(error?.kind == .deviceQuotaExceeded && error?.retryAfterSeconds == 16)
        #expect(await send(to: other, with: pipeline) == nil)
        #expect(store.accepted.count == 5)
        world.clock.set(Sample.acceptedAt.adding(seconds: 15))
        #expect(await send(to: one, with: pipeline) == nil)
        #expect(await send(to: one, with: pipeline)?.kind == .deviceQuotaExceeded)
    }

    @Test func `all apps of a device share its limit`() async throws {
        let pipeline = pipeline()
        let (one, neighbour) = (try await register(), try await register(bundle: "com.example.neighbour"))
        for _ in 0..<2 { for app in [one, neighbour] { #expect(await send(to: app, with: pipeline) == nil) } }
        #expect(await send(to: one, with: pipeline)?.kind == .deviceQuotaExceeded)
        #expect(await send(to: neighbour, with: pipeline)?.kind == .deviceQuotaExceeded)
    }

    @Test func `the hour has its own limit, and what it refuses does not count for the minute`() async throws {
        let pipeline = pipeline(DeviceMessageLimits(perMinute: 10, perHour: 3))
        let one = try await register()
        for _ in 0..<3 { #expect(await send(to: one, with: pipeline) == nil) }
        for _ in 0..<20 { #expect(await send(to: one, with: pipeline)?.retryAfterSeconds == 1_201) }
        world.clock.set(Sample.acceptedAt.adding(seconds: 1_200))
        #expect(await send(to: one, with: pipeline) == nil)
    }

    @Test func `messages with a collapse key have a smaller limit for each app`() async throws {
        let pipeline = pipeline(DeviceMessageLimits(collapsibleBurst: 2))
        let (one, neighbour) = (try await register(), try await register(bundle: "com.example.neighbour"))
        for key in ["a", "b"] { #expect(await send(Self.collapsible(key), to: one, with: pipeline) == nil) }
        let error = await send(Self.collapsible("a"), to: one, with: pipeline)
        #expect(error?.kind == .deviceQuotaExceeded && error?.retryAfterSeconds == 181)
        #expect(await send(Self.collapsible("a"), to: neighbour, with: pipeline) == nil)
        #expect(await send(Self.collapsible("a", 0), to: one, with: pipeline) == nil)
        #expect(await send(to: one, with: pipeline) == nil)
        world.clock.set(Sample.acceptedAt.adding(seconds: 180))
        #expect(await send(Self.collapsible("a"), to: one, with: pipeline) == nil)
        #expect(await send(Self.collapsible("a"), to: one, with: pipeline)?.kind == .deviceQuotaExceeded)
    }

    @Test func `notifications, which collapse by themselves, have no smaller limit`() async throws {
        let pipeline = pipeline(DeviceMessageLimits(collapsibleBurst: 2))
        let one = try await register()
        let shown = Message(notification: .init(title: "A"))
        for _ in 0..<10 { #expect(await send(shown, to: one, with: pipeline) == nil) }
        let keyed = Message(notification: .init(title: "A"), android: AndroidOptions(collapseKey: "a"))
        for isTaken in [true, true, false] { #expect(await (send(keyed, to: one, with: pipeline) == nil) == isTaken) }
    }

    @Test func `devices that only APNs reaches are not limited here`() async throws {
        let pipeline = pipeline()
        let apple = try await register(channel: .apple(Sample.address()))
        for _ in 0..<20 { #expect(await send(to: apple, with: pipeline) == nil) }
        _ = world.connect(1)
        for _ in 0..<4 { #expect(await send(to: apple, with: pipeline) == nil) }
        #expect(await send(to: apple, with: pipeline)?.kind == .deviceQuotaExceeded)
    }

    @Test func `without limits nothing is refused`() async throws {
        let pipeline = pipeline(nil)
        let one = try await register()
        for _ in 0..<300 { #expect(await send(Self.collapsible("a"), to: one, with: pipeline) == nil) }
    }

    @Test func `a list of tokens is refused for those devices alone`() async throws {
        let pipeline = pipeline(DeviceMessageLimits(perMinute: 1), perProject: 4)
        let (one, two) = (try await register(), try await register(2))
        let tokens = [one, two].map { world.tokens.token(of: $0) }
        #expect(await send(to: one, with: pipeline) == nil)
        let both = try await pipeline.sendEach(Message(), to: tokens, in: RegistryWorld.project)
        #expect(both.results.map(\.error?.kind) == [.deviceQuotaExceeded, nil])
        #expect(store.accepted.last?.recipients == [two.id])
        // Refused ones are given back to the project: two of its four are spent.
        let none = try await pipeline.sendEach(Message(), to: tokens, in: RegistryWorld.project)
        #expect(none.results.map(\.error?.kind) == [.deviceQuotaExceeded, .deviceQuotaExceeded])
        #expect(store.accepted.count == 2)
        #expect(await send(to: two, with: pipeline)?.kind == .deviceQuotaExceeded)
    }
}
