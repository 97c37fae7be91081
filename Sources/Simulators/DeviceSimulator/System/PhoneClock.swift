import EventLoop
import FirebasePlatform
import FoundationEssentials
import Synchronization
import Timekeeping

/// The clock of virtual iPhones: the service's wall clock, so that moving that one moves every delay of the SDK.
final class PhoneClock: PlatformClock {
    private struct Sleeper {
        var deadline: Timestamp
        var wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }

    private let clock: any WallClock
    private let loop: EventLoop
    private let state = Mutex(State())

    init(clock: any WallClock, loop: EventLoop) {
        self.clock = clock
        self.loop = loop
        clock.onJump { [weak self] in self?.wakeDue() }
    }

    func now() -> Date {
        Date(timeIntervalSince1970: Double(clock.now().milliseconds) / 1000)
    }

    func sleep(seconds: Double) async throws(CancellationError) {
        let milliseconds = Int64(exactly: (seconds * 1000).rounded(.up)) ?? .max
        let deadline = clock.now().adding(milliseconds: milliseconds)
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let woke = await withTaskCancellationHandler {
            await withCheckedContinuation { park(Sleeper(deadline: deadline, wake: $0), id: id) }
        } onCancel: {
            cancel(id)
        }
        guard woke else { throw CancellationError() }
    }

    private func park(_ sleeper: Sleeper, id: Int) {
        let isCancelled = state.withLock { state in
            if state.cancelled.remove(id) != nil { return true }
            state.sleepers[id] = sleeper
            return false
        }
        if isCancelled { return sleeper.wake.resume(returning: false) }
        arm(until: sleeper.deadline)
    }

    private func arm(until deadline: Timestamp) {
        let milliseconds = max(0, min(deadline.milliseconds &- clock.now().milliseconds, 86_400_000))
        _ = loop.execute { [weak self, loop] in
            loop.schedule(after: .milliseconds(milliseconds)) { self?.wakeDue() }
        }
    }

    private func wakeDue() {
        let now = clock.now()
        let (due, next) = state.withLock { state in
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return (due.values.sorted { $0.deadline < $1.deadline }, state.sleepers.values.map(\.deadline).min())
        }
        for sleeper in due { sleeper.wake.resume(returning: true) }
        if let next { arm(until: next) }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: id)
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.wake.resume(returning: false)
    }
}
