import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `The sweeper of inboxes` {
    typealias World = DirectChannelWorld

    @Test func `goes through all inboxes in steps, prunes, and begins again`() async {
        let world = World()
        let scheduler = ManualScheduler(world.store.changes)
        let sweeper = InboxSweeper(store: world.store, observer: world, delays: scheduler, clock: world.clock)
        for id in 1...4 as ClosedRange<Int64> { world.put(id, lifetime: id.isMultiple(of: 2) ? 10 : 3_600) }
        world.clock.set(Sample.acceptedAt.adding(seconds: 10))
        sweeper.start()
        for step in 0..<5 {
            await scheduler.waitForTimer()
            scheduler.advance(milliseconds: 60_000)
            if step == 3 { await world.waitForEnds(2) }
        }
        await world.store.changes.wait { !world.store.pruned.isEmpty }
        #expect(world.store.waiting.map(\.value) == [1, 3])
        #expect(world.ended.map(\.outcome) == [.expired, .expired])
        await scheduler.waitForTimer()
        sweeper.stop()
        scheduler.advance(milliseconds: 60_000)
        #expect(scheduler.delays.isEmpty)
    }

    @Test func `sweeps at once when the clock jumps`() async {
        let world = World()
        let scheduler = ManualScheduler(world.store.changes)
        let clock = VirtualClock(base: world.clock)
        let sweeper = InboxSweeper(store: world.store, observer: world, delays: scheduler, clock: clock)
        world.put(1, lifetime: 10)
        clock.advance(seconds: 10)
        await world.waitForEnds(1)
        #expect(world.store.waiting.isEmpty)
        sweeper.stop()
    }

    @Test func `tries again later when the store is in trouble`() async {
        let world = World()
        let scheduler = ManualScheduler(world.store.changes)
        let sweeper = InboxSweeper(store: world.store, observer: world, delays: scheduler, clock: world.clock)
        world.put(1, lifetime: 0)
        world.store.setBroken(true)
        sweeper.start()
        await scheduler.waitForTimer()
        scheduler.advance(milliseconds: 60_000)
        await scheduler.waitForTimer()
        #expect(world.store.waiting.count == 1)
        world.store.setBroken(false)
        scheduler.advance(milliseconds: 60_000)
        await world.waitForEnds(1)
        sweeper.stop()
    }
}
