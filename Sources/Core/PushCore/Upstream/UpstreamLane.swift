import PushModel
import Synchronization
import Timekeeping

/// The way of one project's messages from the store to its connections.
final class UpstreamLane: Sendable {
    private static let readLimit = 100
    /// Beats until a message is handed over again.
    private static let patienceBeats = 4

    private let project: ProjectNumber
    let store: any UpstreamStore
    private let clock: any WallClock
    let delays: any DelayScheduler
    let configuration: UpstreamConfiguration
    private let ended: @Sendable (UpstreamID, Bool) -> Void
    private let state = Mutex(UpstreamLaneState())
    let closings = Mutex(UpstreamClosings())

    init(
        project: ProjectNumber, store: any UpstreamStore, clock: any WallClock, delays: any DelayScheduler,
        configuration: UpstreamConfiguration, ended: @escaping @Sendable (UpstreamID, Bool) -> Void
    ) {
        self.project = project
        self.store = store
        self.clock = clock
        self.delays = delays
        self.configuration = configuration
        self.ended = ended
    }

    var unacknowledged: Int { state.withLock { $0.outside.count } }

    // MARK: Connections

    func connect(_ session: any AppServerSession) {
        state.withLock { $0.connect(session, windowSize: configuration.window) }
        startBeating()
        pump()
    }

    func pause(_ session: any AppServerSession) {
        state.withLock { $0.pause(session) }
    }

    func disconnect(_ session: any AppServerSession) {
        state.withLock { $0.disconnect(session) }
        pump()
    }

    func acknowledge(_ messageID: String, from sender: String?, by session: any AppServerSession) -> Bool {
        guard let id = state.withLock({ $0.acknowledge(messageID, from: sender, by: session) }) else { return false }
        ended(id, true)
        close([id])
        pump()
        return true
    }

    // MARK: Handing over

    func accepted(_ message: UpstreamMessage) {
        if let handOver = state.withLock({ $0.accepted(message) }) {
            handOver.session.deliver(handOver.message)
            state.withLock { $0.endPumping() }
        }
        pump()
    }

    /// The store has closed the messages.
    func noteClosed(_ ids: [UpstreamID]) {
        state.withLock { $0.closed(ids) }
        pump()
    }

    /// Reads what waits and hands it over, until there is no more, or no room.
    private func pump() {
        while let step = state.withLock({ $0.nextStep(now: clock.now()) }) {
            switch step {
            case .handOver(let handOvers, let expired):
                for handOver in handOvers { handOver.session.deliver(handOver.message) }
                drop(expired)
            case .read(let start):
                guard read(after: start) else { return resumeLater() }
            }
            state.withLock { $0.endPumping() }
        }
    }

    /// - Returns: Whether the store answered.
    private func read(after start: UpstreamID) -> Bool {
        do {
            let messages = try store.openUpstream(of: project, after: start, limit: Self.readLimit)
            state.withLock { $0.take(messages, after: start, isAll: messages.count < Self.readLimit) }
            return true
        } catch {
            state.withLock { $0.readAgainLater() }
            return false
        }
    }

    private func drop(_ expired: [UpstreamID]) {
        for id in expired { ended(id, false) }
        close(expired)
    }

    private func resumeLater() {
        delays.after(milliseconds: configuration.pauseMilliseconds) { [weak self] in
            self?.state.withLock { $0.isPausing = false }
            self?.pump()
        }
    }

    // MARK: Time

    /// Beats as long as there are connections.
    private func startBeating() {
        let starts = state.withLock { state in
            defer { state.isBeating = true }
            return !state.isBeating
        }
        if starts { scheduleBeat() }
    }

    private func scheduleBeat() {
        let milliseconds = max(1, configuration.resendAfterMilliseconds / Int64(Self.patienceBeats))
        delays.after(milliseconds: milliseconds) { [weak self] in self?.beat() }
    }

    private func beat() {
        let now = clock.now()
        let (expired, overdue, goesOn) = state.withLock { state in
            let (expired, overdue) = state.beat(now: now, patienceBeats: Self.patienceBeats)
            return (expired, overdue, state.isBeating)
        }
        drop(expired)
        for (id, session) in overdue { resend(id, to: session) }
        pump()
        if goesOn { scheduleBeat() }
    }

    private func resend(_ id: UpstreamID, to session: any AppServerSession) {
        guard let found = try? store.openUpstream(of: project, after: UpstreamID(value: id.value - 1), limit: 1) else {
            return
        }
        guard let message = found.first, message.id == id else {
            // Gone from the store, as with a project that was deleted.
            return state.withLock { $0.forget(id) }
        }
        guard state.withLock({ $0.has(id, session) }) else { return }
        session.deliver(message)
    }
}
