import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

@Suite struct `Delivery dispatcher` {
    @Test func `records what APNs accepted`() async throws {
        let world = DispatchWorld()
        world.send(to: try await world.register())
        let request = await world.gateway.next()
        #expect(request.push.pathToken == Sample.deviceToken)
        request.answer(.accepted(providerID: "x"))
        #expect(world.store.outcomes == [.accepted(providerID: "x")])
        #expect(world.first == [.finished(.accepted(providerID: "x"))])
        #expect(world.dispatcher.load == (0, 0))
    }

    @Test func `tries again with growing pauses and the same apns-id`() async throws {
        let world = DispatchWorld()
        world.send(to: try await world.register())
        for pause: Int64 in [1_000, 2_000, 4_000] {
            await world.gateway.next().answer(DispatchWorld.answer(503, "ServiceUnavailable"))
            #expect(world.scheduler.delays == [pause])
            world.scheduler.advance(milliseconds: pause - 1)
            #expect(world.gateway.waiting == 0)
            world.scheduler.advance(milliseconds: 1)
        }
        await world.gateway.next().answer(.accepted(providerID: "x"))
        #expect(Set(world.gateway.sent.map { $0.header("apns-id") }).count == 1)
        #expect(world.store.outcomes == [.accepted(providerID: "x")])
        #expect(world.first.count == 1)
    }

    @Test func `fails with the error of the first try when the sender gives up`() async throws {
        let world = DispatchWorld()
        world.send(to: try await world.register(), decision: .giveUp)
        await world.gateway.next().answer(DispatchWorld.answer(503, "ServiceUnavailable"))
        let outcomes = await world.waitForOutcomes(1)
        guard case .failed(let error)? = outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .unavailable && error.apns?.status == 503)
        #expect(world.scheduler.delays.isEmpty)
    }

    @Test func `lets a message expire while it waits`() async throws {
        let world = DispatchWorld()
        let expiration = String(Sample.acceptedAt.seconds + 10)
        world.send(
            to: try await world.register(),
            message: Message(apns: APNsOptions(headers: Sample.headers(("apns-expiration", expiration)))))
        await world.gateway.next().answer(DispatchWorld.answer(500, "InternalServerError"))
        world.clock.advance(seconds: 11)
        #expect(await world.waitForOutcomes(1) == [.expired])
        world.scheduler.advance(milliseconds: 100_000)
        #expect(world.gateway.sent.count == 1 && world.store.outcomes.count == 1)
    }

    @Test func `never starts what has expired`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.clock.advance(seconds: 2_592_001)
        world.send(to: recipient)
        #expect(await world.waitForOutcomes(1) == [.expired])
        #expect(world.gateway.sent.isEmpty)
    }

    // MARK: Dead tokens

    @Test func `ends a registration that APNs disowned after its last confirmation`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.send(to: recipient)
        let later = Sample.acceptedAt.milliseconds + 60_000
        await world.gateway.next().answer(DispatchWorld.answer(410, "Unregistered", timestamp: later))
        let outcomes = await world.waitForOutcomes(1)
        guard case .failed(let error)? = outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .unregistered && error.apns?.timestampMilliseconds == later)
        #expect(try world.registrations.registration(recipient.id)?.ending == .unregisteredByAPNs)
    }

    @Test func `keeps a registration that is newer than the 410 and sends again`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.send(to: recipient)
        let earlier = Sample.acceptedAt.milliseconds - 60_000
        await world.gateway.next().answer(DispatchWorld.answer(410, "Unregistered", timestamp: earlier))
        await world.scheduler.waitForTimer()
        #expect(try world.registrations.registration(recipient.id)?.ending == nil)
        world.scheduler.advance(milliseconds: 1_000)
        await world.gateway.next().answer(.accepted(providerID: "x"))
        #expect(world.store.outcomes == [.accepted(providerID: "x")])
    }

    @Test func `does not hold an ended live activity against its app`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.send(to: recipient, message: Message(apns: APNsOptions(liveActivityToken: "abcd")))
        await world.gateway.next().answer(DispatchWorld.answer(410, "Unregistered"))
        _ = await world.waitForOutcomes(1)
        #expect(try world.registrations.registration(recipient.id)?.ending == nil)
    }

    @Test func `tells at once of a registration that ended before`() async throws {
        let world = DispatchWorld()
        var recipient = try await world.register()
        recipient.ending = .deletedByApp
        world.send(to: recipient)
        guard case .failed(let error)? = world.store.outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .unregistered && world.gateway.sent.isEmpty)
    }

    // MARK: Environments and credentials

    @Test func `tries the other environment once and remembers it`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.send(to: recipient)
        await world.gateway.next().answer(DispatchWorld.answer(400, "BadDeviceToken"))
        let second = await world.gateway.next()
        #expect(second.push.environment == .sandbox)
        second.answer(.accepted(providerID: "x"))
        #expect(world.store.outcomes == [.accepted(providerID: "x")])
        await world.changes.wait {
            world.changes.happenedSoon()
            return (try? world.registrations.registration(recipient.id))??.channel == .apple(Sample.address(.sandbox))
        }
    }

    @Test func `fails when neither environment knows the token`() async throws {
        let world = DispatchWorld()
        world.send(to: try await world.register())
        await world.gateway.next().answer(DispatchWorld.answer(400, "BadDeviceToken"))
        await world.gateway.next().answer(DispatchWorld.answer(400, "BadDeviceToken"))
        guard case .failed(let error)? = world.store.outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .malformedToken && world.gateway.sent.count == 2)
    }

    @Test func `does not try an environment without credential`() async throws {
        let world = DispatchWorld()
        world.directory.set([.production])
        world.send(to: try await world.register())
        await world.gateway.next().answer(DispatchWorld.answer(400, "BadDeviceToken"))
        #expect(world.store.outcomes.count == 1 && world.gateway.sent.count == 1)
    }

    @Test func `refuses projects without APNs credential`() async throws {
        let world = DispatchWorld()
        world.directory.set([])
        world.send(to: try await world.register())
        guard case .failed(let error)? = world.store.outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .thirdPartyAuthentication && error.apns == nil)
    }

    @Test func `keeps the registration when APNs refuses the key`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.send(to: recipient)
        await world.gateway.next().answer(DispatchWorld.answer(403, "InvalidProviderToken"))
        guard case .failed(let error)? = world.store.outcomes.first else { return #expect(Bool(false)) }
        #expect(error.kind == .thirdPartyAuthentication && error.apns?.reason == "InvalidProviderToken")
        #expect(try world.registrations.registration(recipient.id)?.ending == nil)
    }

    // MARK: Busy devices

    @Test func `holds all pushes to a busy device and lets one go ahead`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.send(1, to: recipient)
        await world.gateway.next().answer(DispatchWorld.answer(429, "TooManyRequests"))
        world.send(2, to: recipient)
        world.send(3, to: recipient)
        #expect(world.gateway.sent.count == 1)
        world.scheduler.advance(milliseconds: 1_000)
        let probe = await world.gateway.next()
        #expect(world.gateway.sent.count == 2)
        probe.answer(DispatchWorld.answer(429, "TooManyRequests"))
        #expect(world.scheduler.delays == [2_000])
        world.scheduler.advance(milliseconds: 2_000)
        await world.gateway.next().answer(.accepted(providerID: "1"))
        #expect(world.gateway.waiting == 2)
        await world.gateway.next().answer(.accepted(providerID: "2"))
        await world.gateway.next().answer(.accepted(providerID: "3"))
        #expect(world.store.outcomes.count == 3 && world.dispatcher.load == (0, 0))
    }

    // MARK: The store

    @Test func `waits in the store until the app has a token`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register(channel: .apple(nil))
        world.send(to: recipient)
        #expect(world.first == [.waiting(nil)])
        #expect(world.dispatcher.load == (0, 0) && world.gateway.sent.isEmpty)
        let renewed = try await world.register()
        world.commit(1...1, to: renewed)
        world.dispatcher.registrationChanged(renewed.id)
        await world.gateway.next().answer(.accepted(providerID: "x"))
        #expect(world.store.outcomes == [.accepted(providerID: "x")])
    }

    @Test func `expires what waits for a token`() async throws {
        let world = DispatchWorld()
        world.send(to: try await world.register(channel: .apple(nil)))
        world.clock.advance(seconds: 2_592_001)
        #expect(await world.waitForOutcomes(1) == [.expired])
    }

    @Test func `goes on after a restart in order of acceptance`() async throws {
        var configuration = DispatcherConfiguration()
        configuration.deliveriesInMemory = 8
        configuration.deliveriesPerPage = 4
        let world = DispatchWorld(configuration: configuration)
        let recipient = try await world.register()
        world.commit(3...5, to: recipient)
        world.commit(900...930, to: recipient)
        world.gateway.reply { .accepted(providerID: $0.header("apns-id") ?? "") }
        try world.dispatcher.resume()
        _ = await world.waitForOutcomes(34)
        let finished = world.store.state.withLock { $0.finished.map(\.id.value) }
        #expect(finished == Array(3...5) + Array(900...930))
    }

    @Test func `sends the same apns-id after a crash before the outcome was recorded`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.store.state.withLock { $0.losesOutcomes = true }
        world.send(7, to: recipient)
        await world.gateway.next().answer(.accepted(providerID: "x"))
        let restarted = DispatchWorld(store: world.store, changes: world.changes)
        try restarted.dispatcher.resume()
        let again = await restarted.gateway.next()
        #expect(again.push.header("apns-id") == world.gateway.sent.first?.header("apns-id"))
        #expect(again.push.payload == world.gateway.sent.first?.payload)
    }

    @Test func `keeps a flood in the store and sends everything once`() async throws {
        var configuration = DispatcherConfiguration()
        configuration.deliveriesInMemory = 10
        configuration.deliveriesInMemoryPerProject = 5
        configuration.deliveriesPerPage = 3
        let world = DispatchWorld(configuration: configuration)
        let recipient = try await world.register()
        world.dispatcher.submit(world.commit(1...100, to: recipient))
        #expect(world.gateway.waiting >= 5)
        let other = Sample.project("other-project", number: 2)
        world.dispatcher.submit(world.commit(101...101, to: recipient, project: other))
        for _ in 0..<101 {
            await world.gateway.next().answer(.accepted(providerID: "x"))
            #expect(world.dispatcher.load.inMemory <= 10 + 3)
        }
        _ = await world.waitForOutcomes(101)
        #expect(Set(world.gateway.sent.map { $0.header("apns-id") }).count == 101)
        #expect(world.gateway.sent.count == 101)
    }

    @Test func `survives a store that cannot be read for a while`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.commit(1...2, to: recipient)
        try world.dispatcher.resume()
        for _ in 0..<2 { await world.gateway.next().answer(.accepted(providerID: "x")) }
        _ = await world.waitForOutcomes(2)
        let parked = try await world.register("d", channel: .apple(nil))
        world.send(3, to: parked)
        world.store.state.withLock { $0.failures = 1 }
        let renewed = try await world.register("d")
        world.commit(3...3, to: renewed)
        world.dispatcher.registrationChanged(renewed.id)
        await world.scheduler.waitForTimer(within: 1_000)
        world.scheduler.advance(milliseconds: 1_000)
        await world.gateway.next().answer(.accepted(providerID: "x"))
        #expect(world.store.outcomes.count == 3)
    }

    @Test func `drains what is being tried and starts nothing more`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        world.send(1, to: recipient)
        let request = await world.gateway.next()
        async let drained: Void = world.dispatcher.drain()
        request.answer(.accepted(providerID: "x"))
        await drained
        world.send(2, to: recipient)
        #expect(world.gateway.sent.count == 1 && world.store.outcomes.count == 1)
    }
}

extension Changes {
    /// For conditions that change without telling: looks again after other tasks had their turn.
    func happenedSoon() {
        Task {
            await Task.yield()
            happened()
        }
    }

    @Test func `gives a message to a registration one apns-id, whatever the delivery`() async throws {
        let world = DispatchWorld()
        let recipient = try await world.register()
        let first = world.commit(1...1, to: recipient)
        var again = first[0]
        again.id = DeliveryID(value: 2)
        var other = first[0]
        (other.id, other.message.id) = (DeliveryID(value: 3), MessageID(value: 77))
        world.store.commit([again, other])
        world.dispatcher.submit(first + [again, other])
        await world.changes.wait { world.gateway.sent.count == 3 }
        let ids = world.gateway.sent.map { $0.header("apns-id") }
        #expect(ids[0] == ids[1])
        #expect(ids[0] != ids[2])
    }

    @Test func `keeps room for direct sends`() async throws {
        var configuration = DispatcherConfiguration()
        (configuration.deliveriesInMemory, configuration.deliveriesInMemoryPerProject) = (8, 4)
        let world = DispatchWorld(configuration: configuration)
        let recipient = try await world.register()
        let (one, two) = (Sample.project(), Sample.project("other-project", number: 2))
        #expect(world.dispatcher.hasRoomForFanOut(of: one.number))
        world.dispatcher.submit(world.commit(1...3, to: recipient, project: one))
        #expect(!world.dispatcher.hasRoomForFanOut(of: one.number))
        #expect(world.dispatcher.hasRoomForFanOut(of: two.number))
        world.dispatcher.submit(world.commit(4...6, to: recipient, project: two))
        #expect(!world.dispatcher.hasRoomForFanOut(of: ProjectNumber(value: 3)))
    }
}
