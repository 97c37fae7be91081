import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Fan-out` {
    let world = FanOutWorld()
    let big = TopicName("big")!
    let small = TopicName("small")!

    @Test func `reaches each member once, within its window`() async throws {
        world.topics.set(Set(1...95), of: big)
        let fanOut = world.fanOut(FanOutWorld.small)
        try await fanOut.submit(world.message(1, to: big))
        #expect(world.accepted.map(\.value) == [1])
        while await world.goesOn(1) {
            world.answer(7)
        }
        #expect(world.recipients(of: 1) == Array(1...95))
        #expect(world.reached(1) == 95)
        #expect(world.mostWaiting <= 20)
        #expect(fanOut.openCount == 0)
    }

    static let packages: [(package: String?, odd: Bool, even: Bool)] = [
        (nil, true, true), ("", true, true), ("com.example.even", false, true), ("com.example.odd", true, false),
        ("com.example", false, false), ("COM.EXAMPLE.EVEN", false, false),
    ]

    @Test(arguments: packages.indices) func `leaves out Android apps of another package, and nobody else`(row: Int)
        async throws
    {
        let row = Self.packages[row]
        world.topics.set(Set(1...60), of: big)
        var message = world.message(1, to: big)
        message.message.android = AndroidOptions(restrictedPackageName: row.package)
        try await world.fanOut(FanOutWorld.small).submit(message)
        while await world.goesOn(1) { world.answer(7) }
        let expected = (1...60 as ClosedRange<Int64>).filter { number in
            number.isMultiple(of: 20) ? row.even : number.isMultiple(of: 10) ? row.odd : true
        }
        #expect(world.recipients(of: 1) == expected)
        #expect(world.reached(1) == expected.count)
    }

    @Test func `a delivery that has to wait longer frees its place`() async throws {
        world.topics.set(Set(1...50), of: big)
        try await world.fanOut(FanOutWorld.small).submit(world.message(1, to: big))
        while await world.goesOn(1) {
            world.answer(10, .waiting(nil))
        }
        #expect(world.recipients(of: 1).count == 50)
    }

    @Test func `a big topic of one project does not hold up another project`() async throws {
        world.topics.set(Set(1...1_000), of: big)
        world.topics.set([5, 6], of: small)
        let fanOut = world.fanOut(FanOutWorld.small)
        try await fanOut.submit(world.message(1, to: big, project: 1))
        await world.waitForDeliveries(20)
        // The first project gets no answers at all.
        try await fanOut.submit(world.message(2, to: small, project: 2))
        await world.changes.wait { [world] in world.hasEnded(2) }
        #expect(world.recipients(of: 2) == [5, 6])
        #expect(world.recipients(of: 1).count == 20)
    }

    @Test func `goes on at the cursor after a crash`() async throws {
        world.topics.set(Set(1...60), of: big)
        do {
            let first = world.fanOut(FanOutWorld.small)
            try await first.submit(world.message(1, to: big))
            await world.waitForDeliveries(20)
            await first.drain()
        }
        let second = world.fanOut(FanOutWorld.small)
        try second.resume()
        while await world.goesOn(1) {
            world.answer(10)
        }
        #expect(world.recipients(of: 1) == Array(1...60))
    }

    @Test func `starts nothing once it drains`() async throws {
        world.topics.set(Set(1...60), of: big)
        let fanOut = world.fanOut(FanOutWorld.small)
        await fanOut.drain()
        try await fanOut.submit(world.message(1, to: big))
        #expect(world.submitted.isEmpty)
        #expect(try world.openFanOuts().count == 1)
    }

    @Test func `pauses while the store fails or the dispatcher is full`() async throws {
        world.topics.set(Set(1...5), of: small)
        world.setRoom(false)
        let fanOut = world.fanOut(FanOutWorld.small)
        try await fanOut.submit(world.message(1, to: small))
        await world.scheduler.waitForTimer()
        #expect(world.submitted.isEmpty)
        world.setRoom(true)
        world.fail(1)
        world.scheduler.advance(milliseconds: 200)
        await world.scheduler.waitForTimer()
        #expect(world.submitted.isEmpty)
        world.scheduler.advance(milliseconds: 200)
        await world.waitForDeliveries(5)
        #expect(world.recipients(of: 1) == [1, 2, 3, 4, 5])
    }

    @Test func `a topic that nobody follows ends at once`() async throws {
        let fanOut = world.fanOut()
        try await fanOut.submit(world.message(1, to: small))
        await world.changes.wait { [world] in world.hasEnded(1) }
        #expect(world.submitted.isEmpty)
    }

    @Test func `a message whose time is over reaches nobody more`() async throws {
        world.topics.set(Set(1...50), of: big)
        let message = world.message(1, to: big)
        let fanOut = world.fanOut(FanOutWorld.small)
        try await fanOut.submit(message)
        await world.waitForDeliveries(20)
        world.clock.set(message.expiresAt)
        world.answer(20)
        await world.changes.wait { [world] in world.hasEnded(1) }
        #expect(world.recipients(of: 1).count == 20)
    }

    @Test func `what was deleted with its project is forgotten`() async throws {
        world.topics.set(Set(1...50), of: big)
        let fanOut = world.fanOut(FanOutWorld.small)
        try await fanOut.submit(world.message(1, to: big))
        await world.waitForDeliveries(20)
        world.lose(1)
        world.answer(20)
        await fanOut.drain()
        #expect(world.recipients(of: 1).count == 20)
    }
}
