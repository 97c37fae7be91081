import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

@Suite struct `The sweeper of registrations` {
    private let store = CountedUpkeep()
    private let clock = ManualClock(Sample.acceptedAt)
    private let scheduler: ManualScheduler

    init() { scheduler = ManualScheduler(store.changes) }

    /// Lets the next timer fire.
    private func turn() async {
        await scheduler.waitForTimer()
        scheduler.advance(milliseconds: 86_400_000)
    }

    @Test func `goes through all registrations in steps, and again a day later`() async {
        let sweeper = RegistrationSweeper(store: store, delays: scheduler, clock: clock)
        sweeper.start()
        for _ in 0..<7 { await turn() }
        await store.changes.wait { [store] in store.places.count >= 7 }
        #expect(store.places.prefix(7) == [0, 2_000, 4_000, 0, 2_000, 4_000, 0])
        #expect(store.retentions.allSatisfy { $0 == RegistrationRetention(at: Sample.acceptedAt) })
        await scheduler.waitForTimer()
        sweeper.stop()
        scheduler.advance(milliseconds: 86_400_000)
        #expect(scheduler.delays.isEmpty)
    }

    @Test func `tries again a day later when the store is in trouble`() async {
        store.breakDown()
        let sweeper = RegistrationSweeper(store: store, delays: scheduler, clock: clock)
        sweeper.start()
        for _ in 0..<2 { await turn() }
        await store.changes.wait { [store] in store.places.count >= 2 }
        #expect(store.places.prefix(2) == [0, 0])
        sweeper.stop()
    }

    @Test func `sweeps at once when the clock jumps`() async {
        let clock = VirtualClock(base: clock)
        let sweeper = RegistrationSweeper(store: store, delays: scheduler, clock: clock)
        clock.advance(seconds: 300 * 86_400)
        await store.changes.wait { [store] in store.places.count >= 1 }
        #expect(store.retentions.first?.activeSince == Sample.acceptedAt.adding(seconds: 30 * 86_400))
        #expect(store.retentions.first?.endedSince == Sample.acceptedAt.adding(seconds: 240 * 86_400))
        sweeper.stop()
    }
}

/// Ends at the fourth thousand.
private final class CountedUpkeep: RegistrationUpkeep {
    private struct State {
        var places: [Int64] = []
        var retentions: [RegistrationRetention] = []
        var isBroken = false
    }

    let changes = Changes()
    private let state = Mutex(State())

    var places: [Int64] { state.withLock(\.places) }
    var retentions: [RegistrationRetention] { state.withLock(\.retentions) }

    func breakDown() { state.withLock { $0.isBroken = true } }

    func keepUpRegistrations(
        after id: RegistrationID, rows: Int, _ retention: RegistrationRetention
    ) async throws(StoreError) -> RegistrationUpkeepStep {
        let isBroken = state.withLock { state in
            state.places.append(id.value)
            state.retentions.append(retention)
            return state.isBroken
        }
        changes.happened()
        if isBroken { throw .unavailable("test") }
        let next = id.value >= 4_000 ? nil : RegistrationID(value: id.value + Int64(rows))
        return RegistrationUpkeepStep(next: next, expired: 0, forgotten: 0)
    }
}
