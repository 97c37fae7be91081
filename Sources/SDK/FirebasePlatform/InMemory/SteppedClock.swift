import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that stands still until somebody moves it; sleepers wake when it passes their time.
public final class SteppedClock: PlatformClock {
    private struct State {
        var now: Date
        var nextID = 0
        var sleepers: [Int: (deadline: Date, wake: CheckedContinuation<Bool, Never>)] = [:]
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    public init(_ start: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        state = Mutex(State(now: start))
    }

    public func now() -> Date { state.withLock(\.now) }

    /// The times until which tasks sleep, as seconds from now, soonest first.
    public var pendingDelays: [Double] {
        state.withLock { state in
            state.sleepers.values.map { $0.deadline.timeIntervalSince(state.now) }.sorted()
        }
    }

    public func sleep(seconds: Double) async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let woke = await withTaskCancellationHandler {
            await withCheckedContinuation { park($0, id: id, seconds: seconds) }
        } onCancel: {
            cancel(id)
        }
        guard woke else { throw CancellationError() }
    }

    /// Moves the clock forward and wakes whoever's time has come, soonest first.
    public func advance(seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
        }
        for sleeper in due { sleeper.value.wake.resume(returning: true) }
    }

    private func park(_ continuation: CheckedContinuation<Bool, Never>, id: Int, seconds: Double) {
        let immediate: Bool? = state.withLock { state in
            if state.cancelled.remove(id) != nil { return false }
            guard seconds > 0 else { return true }
            state.sleepers[id] = (state.now + seconds, continuation)
            return nil
        }
        if let immediate { continuation.resume(returning: immediate) }
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
