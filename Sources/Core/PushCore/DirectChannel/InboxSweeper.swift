import PushModel
import Synchronization
public import Timekeeping

/// Takes expired messages out of the inboxes of devices that are away, a piece at a time.
public final class InboxSweeper: Sendable {
    private static let rowsPerStep = 2_000
    private static let pauseMilliseconds: Int64 = 60_000
    private static let stepMilliseconds: Int64 = 50

    private let store: any InboxStore & UpstreamStore
    private let observer: any DeliveryObserver
    private let delays: any DelayScheduler
    private let clock: any WallClock
    private let isStopped = Mutex(false)

    public init(
        store: any InboxStore & UpstreamStore, observer: any DeliveryObserver, delays: any DelayScheduler,
        clock: any WallClock
    ) {
        self.store = store
        self.observer = observer
        self.delays = delays
        self.clock = clock
        clock.onJump { [weak self] in self?.sweep(from: DeliveryID(value: 0), again: false) }
    }

    public func start() {
        later(Self.pauseMilliseconds) { $0.sweep(from: DeliveryID(value: 0), again: true) }
    }

    public func stop() {
        isStopped.withLock { $0 = true }
    }

    private func later(_ milliseconds: Int64, _ work: @escaping @Sendable (InboxSweeper) -> Void) {
        delays.after(milliseconds: milliseconds) { [weak self] in
            guard let self, !isStopped.withLock({ $0 }) else { return }
            work(self)
        }
    }

    private func sweep(from id: DeliveryID, again: Bool) {
        Task { [weak self] in
            guard let next = await self?.step(from: id) else {
                if again { self?.start() }
                return
            }
            self?.later(Self.stepMilliseconds) { $0.sweep(from: next, again: again) }
        }
    }

    /// - Returns: Where to go on; `nil` at the end, or when the store is in trouble.
    private func step(from id: DeliveryID) async -> DeliveryID? {
        let now = clock.now()
        guard let swept = try? await store.sweepInboxes(after: id, rows: Self.rowsPerStep, at: now) else { return nil }
        for delivery in swept.ended { observer.ended(delivery) }
        if swept.next == nil { try? await store.pruneUpstream(expiredBefore: now) }
        return swept.next
    }
}
