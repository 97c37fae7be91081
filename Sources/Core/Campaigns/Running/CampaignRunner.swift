public import PushCore
import PushModel
import Synchronization
public import Timekeeping

/// Sends campaigns when they are due. One for each service.
///
/// It sleeps until the next campaign is due and looks again when the clock jumps, and when a campaign changes. A run and
/// the message that it sends are committed together, so that each time comes exactly once whatever happens to the process.
public final class CampaignRunner: Sendable {
    private struct State: Sendable {
        var isRunning = false
        /// Something changed while it ran.
        var mustLookAgain = false
        var isStopped = false
        /// Only the newest timer counts.
        var timer: UInt64 = 0
        var drainWaiters: [CheckedContinuation<Void, Never>] = []
    }

    /// A clock may be set, so that no sleep is longer than this.
    private static let longestSleepMilliseconds: Int64 = 60_000
    /// How long it rests when the store or the project's quota refuses.
    private static let restMilliseconds: Int64 = 2_000
    private static let campaignsAtOnce = 50

    private let store: any CampaignStore
    private let turns: CampaignTurn
    private let delays: any DelayScheduler
    private let clock: any WallClock
    private let state = Mutex(State())

    public init(
        store: any CampaignStore & AudienceStore, directory: any ProjectDirectory, sending: any CampaignSending,
        zones: any TimeZones, delays: any DelayScheduler, clock: any WallClock
    ) {
        self.store = store
        self.delays = delays
        self.clock = clock
        turns = CampaignTurn(store: store, directory: directory, sending: sending, zones: zones, clock: clock)
        clock.onJump { [weak self] in self?.wake() }
    }

    /// Looks for what is due: at the start, and after a campaign changed.
    public func wake() {
        let starts = state.withLock { state in
            guard !state.isStopped else { return false }
            if state.isRunning {
                state.mustLookAgain = true
                return false
            }
            state.isRunning = true
            return true
        }
        // One run at a time; it ends by itself when nothing is due.
        if starts { Task { await run() } }
    }

    /// Sends no more; returns when the campaign at hand is done.
    public func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isStopped = true
                if state.isRunning { state.drainWaiters.append(continuation) }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    private func run() async {
        var rest: Int64?
        repeat {
            rest = await sendWhatIsDue() ? nil : Self.restMilliseconds
        } while rest == nil && goesOn()
        if rest != nil { end() }
        sleep(rest)
    }

    /// - Returns: Whether everything could be done.
    private func sendWhatIsDue() async -> Bool {
        do {
            while true {
                let due = try store.dueCampaigns(at: clock.now(), limit: Self.campaignsAtOnce)
                if due.isEmpty { return true }
                for campaign in due {
                    if state.withLock(\.isStopped) { return true }
                    guard try await turns.take(campaign) else { return false }
                }
            }
        } catch {
            return false
        }
    }

    private func goesOn() -> Bool {
        let (goesOn, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            if state.mustLookAgain, !state.isStopped {
                state.mustLookAgain = false
                return (true, [])
            }
            state.isRunning = false
            defer { state.drainWaiters = [] }
            return (false, state.drainWaiters)
        }
        for waiter in waiters { waiter.resume() }
        return goesOn
    }

    private func end() {
        let waiters = state.withLock { state in
            state.isRunning = false
            state.mustLookAgain = false
            defer { state.drainWaiters = [] }
            return state.drainWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func sleep(_ rest: Int64?) {
        let timer = state.withLock { state in
            state.timer &+= 1
            return state.timer
        }
        delays.after(milliseconds: rest ?? untilNext()) { [weak self] in
            guard let self, state.withLock({ $0.timer == timer }) else { return }
            wake()
        }
    }

    private func untilNext() -> Int64 {
        guard let next = try? store.nextCampaignDue() else { return Self.longestSleepMilliseconds }
        let (distance, overflow) = next.milliseconds.subtractingReportingOverflow(clock.now().milliseconds)
        return overflow ? Self.longestSleepMilliseconds : min(max(distance, 1), Self.longestSleepMilliseconds)
    }
}

extension CampaignRunner {
    /// Whether nothing is being sent at the moment.
    var isIdle: Bool { state.withLock { !$0.isRunning } }
}
