import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

/// Keeps pushes until the test answers them.
final class ScriptedBrowserGateway: BrowserGateway {
    struct Request: Sendable {
        var push: BrowserPush
        var address: BrowserAddress
        var answer: @Sendable (GatewayAnswer) -> Void
    }

    private let requests = Mutex<[Request]>([])
    private let changes: Changes

    init(_ changes: Changes) { self.changes = changes }

    func send(
        _ push: BrowserPush, to address: BrowserAddress, from project: ProjectNumber,
        completion: @escaping @Sendable (GatewayAnswer) -> Void
    ) {
        requests.withLock { $0.append(Request(push: push, address: address, answer: completion)) }
        changes.happened()
    }

    func next() async -> Request {
        await changes.wait { [self] in requests.withLock { !$0.isEmpty } }
        return requests.withLock { $0.removeFirst() }
    }

    var waiting: Int { requests.withLock(\.count) }
}

@Suite struct `Delivery to browsers` {
    private static func channel(_ place: String = "1") -> Registration.Channel {
        .web(endpoint: "https://push.example.com/\(place)", p256dh: "p", auth: "a", applicationKey: "")
    }

    private static func answer(_ status: Int, retryAfter: Int64? = nil) -> GatewayAnswer {
        GatewayAnswer(webPushStatus: status, location: "/m", retryAfterSeconds: retryAfter)
    }

    @Test func `records what the push service accepted`() async throws {
        let world = DispatchWorld()
        world.send(to: try await world.register(channel: Self.channel()))
        let request = await world.browsers.next()
        #expect(request.address.endpoint == "https://push.example.com/1")
        request.answer(Self.answer(201))
        #expect(world.store.outcomes == [.accepted(providerID: "/m")])
        #expect(world.gateway.sent.isEmpty && world.dispatcher.load == (0, 0))
    }

    @Test func `waits as long as the push service asks, and goes on with the registration of then`() async throws {
        let world = DispatchWorld()
        world.send(to: try await world.register(channel: Self.channel()))
        await world.browsers.next().answer(Self.answer(429, retryAfter: 30))
        #expect(world.scheduler.delays == [30_000])
        _ = try await world.register(channel: Self.channel("2"))
        world.scheduler.advance(milliseconds: 30_000)
        let request = await world.browsers.next()
        #expect(request.address.endpoint == "https://push.example.com/2")
        request.answer(Self.answer(201))
        #expect(world.store.outcomes == [.accepted(providerID: "/m")])
    }

    @Test func `lets a push expire while it waits`() async throws {
        let world = DispatchWorld()
        let message = Message(webpush: WebPushOptions(headers: Sample.headers(("ttl", "10"))))
        world.send(to: try await world.register(channel: Self.channel()), message: message)
        await world.browsers.next().answer(Self.answer(503))
        world.clock.advance(seconds: 11)
        #expect(await world.waitForOutcomes(1) == [.expired])
        #expect(world.browsers.waiting == 0)
    }

    @Test func `ends a subscription that the push service knows no more`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register(channel: Self.channel())
        world.send(to: recipient)
        await world.browsers.next().answer(Self.answer(410))
        let outcomes = await world.waitForOutcomes(1)
        guard case .failed(let error)? = outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .unregistered)
        #expect(try world.registrations.registration(recipient.id)?.ending == .unregisteredByPushService)
    }

    @Test func `goes on to a subscription that took the place of a dead one`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register(channel: Self.channel())
        world.send(to: recipient)
        let request = await world.browsers.next()
        _ = try await world.register(channel: Self.channel("2"))
        request.answer(Self.answer(404))
        await world.scheduler.waitForTimer()
        world.scheduler.advance(milliseconds: 1_000)
        #expect(await world.browsers.next().address.endpoint == "https://push.example.com/2")
        #expect(try world.registrations.registration(recipient.id)?.ending == nil)
    }

    @Test func `fails with what cannot be cured`() async throws {
        for (status, kind) in [(401, SendError.Kind.thirdPartyAuthentication), (413, .messageTooBig)] {
            let world = DispatchWorld()
            world.send(to: try await world.register(channel: Self.channel()))
            await world.browsers.next().answer(Self.answer(status))
            guard case .failed(let error)? = world.store.outcomes.first else { return #expect(Bool(false)) }
            #expect(error.kind == kind)
        }
    }

    @Test func `fails when the message is too big for browsers`() async throws {
        let world = DispatchWorld()
        let message = Message(data: Sample.data(("k", String(repeating: "x", count: 4_000))))
        world.send(to: try await world.register(channel: Self.channel()), message: message)
        guard case .failed(let error)? = world.store.outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .messageTooBig)
    }

    @Test func `takes up again after a restart`() async throws {
        let world = DispatchWorld()
        world.commit(1...3, to: try await world.register(channel: Self.channel()))
        try world.dispatcher.resume()
        for _ in 0..<3 { await world.browsers.next().answer(Self.answer(201)) }
        #expect(await world.waitForOutcomes(3).count == 3)
    }
}
