import PushModel
import Synchronization
public import Timekeeping

/// Gives up registrations that nobody uses any more and forgets those that ended long ago, once a day, a piece at a time.
public final class RegistrationSweeper: Sendable {
    private static let rowsPerStep = 2_000
    private static let pauseMilliseconds: Int64 = 86_400_000
    /// After a start, when there is other work to do.
    private static let firstPauseMilliseconds: Int64 = 300_000
    private static let stepMilliseconds: Int64 = 50

    private let store: any RegistrationUpkeep
    private let delays: any DelayScheduler
    private let clock: any WallClock
    private let swept: @Sendable (RegistrationUpkeepStep) -> Void
    private let isStopped = Mutex(false)

    /// - Parameter swept: Hears of each piece.
    public init(
        store: any RegistrationUpkeep, delays: any DelayScheduler, clock: any WallClock,
        swept: @escaping @Sendable (RegistrationUpkeepStep) -> Void = { _ in }
    ) {
        self.store = store
        self.delays = delays
        self.clock = clock
        self.swept = swept
        clock.onJump { [weak self] in self?.sweep(from: RegistrationID(value: 0), again: false) }
    }

    public func start() {
        later(Self.firstPauseMilliseconds) { $0.sweep(from: RegistrationID(value: 0), again: true) }
    }

    public func stop() {
        isStopped.withLock { $0 = true }
    }

    private func later(_ milliseconds: Int64, _ work: @escaping @Sendable (RegistrationSweeper) -> Void) {
        delays.after(milliseconds: milliseconds) { [weak self] in
            guard let self, !isStopped.withLock({ $0 }) else { return }
            work(self)
        }
    }

    /// - Parameter again: Whether another sweep follows a day later.
    private func sweep(from id: RegistrationID, again: Bool) {
        // One step at a time; it ends by itself.
        Task { [weak self] in
            guard let next = await self?.step(from: id) else {
                if again {
                    self?.later(Self.pauseMilliseconds) { $0.sweep(from: RegistrationID(value: 0), again: true) }
                }
                return
            }
            self?.later(Self.stepMilliseconds) { $0.sweep(from: next, again: again) }
        }
    }

    /// - Returns: Where to go on; `nil` at the end, or when the store is in trouble.
    private func step(from id: RegistrationID) async -> RegistrationID? {
        let retention = RegistrationRetention(at: clock.now())
        let step = try? await store.keepUpRegistrations(after: id, rows: Self.rowsPerStep, retention)
        guard let step else { return nil }
        swept(step)
        return step.next
    }
}
