public import PushModel
import Synchronization
public import Timekeeping

/// Splits messages to topics and conditions into deliveries, one chunk after the other.
///
/// A chunk's deliveries and the place where the next one starts are committed together, so a killed process goes on
/// where it stopped. Projects take turns. A chunk is split only when the deliveries before it have left room, so that
/// memory stays flat however many members there are.
public final class FanOut: Sendable {
    struct State: Sendable {
        var open: [MessageID: OpenFanOut] = [:]
        var turns = FanOutTurns()
        var underWay: [ProjectNumber: Int] = [:]
        var isRunning = false
        var isPausing = false
        var isStopping = false
        var drainWaiters: [CheckedContinuation<Void, Never>] = []
        /// The chunk that is probably the next one.
        var ahead: FanOutReading?
    }

    private let store: any FanOutStore
    private let topics: any TopicMemberships
    private let planner: DeliveryPlanner?
    private let deliveries: any DeliverySubmission
    private let observers: [any DeliveryObserver]
    private let delays: any DelayScheduler
    private let clock: any WallClock
    private let configuration: FanOutConfiguration
    private let state = Mutex(State())

    public init(
        store: any FanOutStore, topics: any TopicMemberships, planner: DeliveryPlanner? = nil,
        deliveries: any DeliverySubmission, delays: any DelayScheduler, clock: any WallClock,
        observers: [any DeliveryObserver] = [],
        configuration: FanOutConfiguration = .init()
    ) {
        self.store = store
        self.topics = topics
        self.planner = planner
        self.deliveries = deliveries
        self.delays = delays
        self.clock = clock
        self.observers = observers
        self.configuration = configuration
    }

    /// Stores the message and starts its fan-out. Durable when it returns.
    public func submit(_ message: ValidatedMessage) async throws(StoreError) {
        try await store.acceptFanOut(message)
        begin(accepted: message)
    }

    /// Starts the fan-out of a message that is in the store already.
    public func begin(accepted message: ValidatedMessage) {
        for observer in observers { observer.accepted(message, recipients: []) }
        begin([OpenFanOut(message: message)])
    }

    /// Goes on with what a former run left unfinished. Call after the dispatcher's `resume`.
    public func resume() throws(StoreError) {
        begin(try store.openFanOuts())
    }

    /// Splits no more; returns when the chunk at hand is done. The rest stays in the store.
    public func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isStopping = true
                if state.isRunning { state.drainWaiters.append(continuation) }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Fan-outs that are not split to the end.
    public var openCount: Int { state.withLock { $0.open.count } }

    private func begin(_ fanOuts: [OpenFanOut]) {
        state.withLock { state in
            for fanOut in fanOuts {
                state.open[fanOut.message.id] = fanOut
                state.turns.add(fanOut.message.id, of: fanOut.message.project.number)
            }
        }
        runIfPossible()
    }

    // MARK: Turns

    private func runIfPossible() {
        let starts = state.withLock { state in
            guard !state.isRunning, !state.isPausing, !state.isStopping, !state.turns.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        // One run at a time; it ends by itself when nobody has a turn.
        if starts { Task { await run() } }
    }

    private func run() async {
        while let fanOut = nextTurn() {
            do {
                try await splitNextChunk(of: fanOut)
            } catch {
                pause()
            }
        }
    }

    private func nextTurn() -> OpenFanOut? {
        var lacksRoom = false
        let (next, waiters) = state.withLock { state -> (OpenFanOut?, [CheckedContinuation<Void, Never>]) in
            if !state.isStopping, !state.isPausing {
                let underWay = state.underWay
                let message = state.turns.next { project in
                    guard hasWindow(underWay[project, default: 0]) else { return false }
                    let hasRoom = deliveries.hasRoomForFanOut(of: project)
                    if !hasRoom { lacksRoom = true }
                    return hasRoom
                }
                if let next = message.flatMap({ state.open[$0] }) { return (next, []) }
            }
            state.isRunning = false
            defer { state.drainWaiters = [] }
            return (nil, state.drainWaiters)
        }
        for waiter in waiters { waiter.resume() }
        if lacksRoom, next == nil { pause() }
        return next
    }

    private func hasWindow(_ underWay: Int) -> Bool {
        let window = configuration.deliveriesUnderWayPerProject
        return underWay + min(configuration.membersPerChunk, window) <= window
    }

    private func pause() {
        let isFirst = state.withLock { state in
            defer { state.isPausing = true }
            return !state.isPausing
        }
        guard isFirst else { return }
        delays.after(milliseconds: configuration.pauseMilliseconds) { [weak self] in
            self?.state.withLock { $0.isPausing = false }
            self?.runIfPossible()
        }
    }

    // MARK: One chunk

    /// While a chunk is committed, the one after it is read: one waits for the disk and the other for the processor.
    private func splitNextChunk(of fanOut: OpenFanOut) async throws(StoreError) {
        let message = fanOut.message
        let reading = if let ahead = takeAhead(for: fanOut) { ahead } else { try read(fanOut) }
        let planned = planner.plan(message, for: reading.recipients)
        async let following: Void = readAhead(after: reading, of: message)
        guard let acceptance = try await store.extendFanOut(message.id, by: reading.chunk, deliveries: planned) else {
            return forget(message.id)
        }
        advance(message, past: reading.chunk)
        for observer in observers {
            observer.fanOut(message, reaches: reading.recipients, isLast: reading.chunk.isLast)
            for ended in acceptance.ended { observer.ended(ended) }
        }
        if !acceptance.deliveries.isEmpty {
            deliveries.submit(acceptance.queued(message, to: reading.recipients, as: planned)) { [self] delivery, _ in
                leave(delivery.message.project.number)
                return .keepTrying
            }
        }
        await following
    }

    private func takeAhead(for fanOut: OpenFanOut) -> FanOutReading? {
        let ahead = state.withLock { $0.ahead.take() }
        return ahead.flatMap { $0.isNext(of: fanOut, at: clock.now()) ? $0 : nil }
    }

    private func readAhead(after reading: FanOutReading, of message: ValidatedMessage) async {
        guard !reading.chunk.isLast else { return }
        // What cannot be read now is read when it is its turn.
        guard let next = try? read(OpenFanOut(message: message, cursor: reading.chunk.cursor)) else { return }
        state.withLock { $0.ahead = next }
    }

    private func read(_ fanOut: OpenFanOut) throws(StoreError) -> FanOutReading {
        let now = clock.now()
        var chunk = try nextChunk(of: fanOut)
        let members = chunk.members.isEmpty ? [] : try store.liveRegistrations(chunk.members)
        let recipients = fanOut.message.message.addressees(among: members)
        chunk.members = recipients.map(\.id)
        return FanOutReading(
            message: fanOut.message.id, cursor: fanOut.cursor, chunk: chunk, recipients: recipients, readAt: now)
    }

    /// A message whose time is over reaches nobody more.
    private func nextChunk(of fanOut: OpenFanOut) throws(StoreError) -> FanOutChunk {
        guard clock.now() < fanOut.message.expiresAt else {
            return FanOutChunk(members: [], cursor: fanOut.cursor, isLast: true)
        }
        let reader = MemberReader(
            target: fanOut.message.target, project: fanOut.message.project.number, after: fanOut.cursor, in: topics)
        return try reader.next(
            limit: configuration.membersPerChunk, examining: configuration.registrationsExaminedPerStep)
    }

    private func advance(_ message: ValidatedMessage, past chunk: FanOutChunk) {
        state.withLock { state in
            state.underWay[message.project.number, default: 0] += chunk.members.count
            state.open[message.id]?.cursor = chunk.cursor
            guard chunk.isLast else { return }
            state.open[message.id] = nil
            state.turns.remove(message.id)
        }
    }

    private func forget(_ message: MessageID) {
        state.withLock { state in
            state.open[message] = nil
            state.turns.remove(message)
        }
    }

    /// A delivery has its first answer.
    private func leave(_ project: ProjectNumber) {
        let goesOn = state.withLock { state in
            let count = state.underWay[project, default: 1] - 1
            state.underWay[project] = count > 0 ? count : nil
            return !state.isRunning && !state.turns.isEmpty && hasWindow(max(count, 0))
        }
        if goesOn { runIfPossible() }
    }
}
