import Glibc
import Synchronization

/// What time it is. Handed in through `init`, so that tests and the emulator can move it.
public protocol WallClock: Sendable {
    func now() -> Timestamp

    /// Calls `action` after each jump of the clock, from the thread that moved it. The system clock never calls it.
    func onJump(_ action: @escaping @Sendable () -> Void)
}

/// The machine's clock.
public struct SystemClock: WallClock {
    public init() {}

    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public func onJump(_ action: @escaping @Sendable () -> Void) {}
}

/// The machine's clock plus an offset that the emulator moves.
public final class VirtualClock: WallClock {
    private struct State {
        var offsetMilliseconds: Int64 = 0
        var observers: [@Sendable () -> Void] = []
    }

    private let base: any WallClock
    private let state = Mutex(State())

    public init(base: any WallClock = SystemClock()) {
        self.base = base
    }

    public func now() -> Timestamp {
        base.now().adding(milliseconds: state.withLock(\.offsetMilliseconds))
    }

    public func onJump(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(action) }
    }

    /// Moves the clock forward (or back, for tests of clock faults).
    public func advance(seconds: Int64) {
        let observers = state.withLock { state in
            let moved = Timestamp(milliseconds: state.offsetMilliseconds).adding(seconds: seconds)
            state.offsetMilliseconds = moved.milliseconds
            return state.observers
        }
        for observer in observers { observer() }
    }

    /// Puts the clock back to the machine's time.
    public func reset() {
        let observers = state.withLock { state in
            state.offsetMilliseconds = 0
            return state.observers
        }
        for observer in observers { observer() }
    }
}

/// A clock that stands still until it is told the time: for tests.
public final class ManualClock: WallClock {
    private let time: Mutex<Timestamp>

    public init(_ start: Timestamp) {
        time = Mutex(start)
    }

    public func now() -> Timestamp {
        time.withLock { $0 }
    }

    public func set(_ now: Timestamp) {
        time.withLock { $0 = now }
    }

    public func onJump(_ action: @escaping @Sendable () -> Void) {}
}
