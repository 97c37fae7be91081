import FirebaseCore
import FirebasePlatform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The direct channel of one app: keeps it up while it is wanted, and carries messages both ways.
///
/// Everything that happens is an input. Inputs are handled one after the other, in the order they came, on the thread
/// that brought the first of them; what the rules decide is carried out in between. The app is told on main, later.
final class DirectChannel: Sendable {
    typealias Answer = @Sendable (MessagingError?) -> Void

    enum Input: Sendable {
        case want(Answer?)
        case unwant
        /// The check-in came, changed or is gone.
        case checkInChanged
        case checkInFailed
        case reachable(Bool)
        /// - number: That of the attempt; what comes late, from the stream of an earlier one, is dropped.
        case stream(number: Int, ByteStreamEvent)
        case send(UpstreamMessage)
        /// The app knows how these messages ended.
        case told([UInt64])
        case time(Date)
        /// The app starts: what an earlier launch left is taken up.
        case start
        case close
    }

    struct State {
        var plan = ConnectionPlan()
        var number = 0
        var link: Link?
        var isCheckingIn = false
        var answers: [Answer] = []
        var unconfirmed = UnconfirmedIDs()
        /// Messages of this process, confirmed ones too: a server may repeat itself.
        var recentIDs = RecentIDs()
        var countedIDs = 0
        var queue = UpstreamQueue()
        var store: UpstreamStore
        var alarm: (time: Date, task: Task<Void, Never>)?
        var isLoaded = false
        var isClosed = false

        var inputs: [Input] = []
        var isHandling = false
    }

    /// A connection, from its attempt on.
    struct Link {
        let stream: any ByteStream
        let deviceID: UInt64
        var session: DirectChannelSession
        var isUp = false
    }

    let app: FirebaseApp
    let platform: Platform
    let checkIns: CheckInService
    let announcer: RegistrationAnnouncer
    let receiver: MessageReceiver
    let state: Mutex<State>

    init(
        app: FirebaseApp, checkIns: CheckInService, announcer: RegistrationAnnouncer, receiver: MessageReceiver
    ) {
        self.app = app
        platform = app.platform
        self.checkIns = checkIns
        self.announcer = announcer
        self.receiver = receiver
        state = Mutex(State(store: UpstreamStore(files: app.platform.files)))
    }

    /// Whether messages can travel.
    var isUp: Bool { state.withLock { $0.link?.isUp == true } }

    func handle(_ input: Input) {
        let isFirst = state.withLock { state in
            state.inputs.append(input)
            defer { state.isHandling = true }
            return !state.isHandling
        }
        guard isFirst else { return }
        while let input = nextInput() {
            carryOut(input)
            setAlarm()
        }
    }

    private func nextInput() -> Input? {
        state.withLock { state in
            guard !state.inputs.isEmpty else {
                state.isHandling = false
                return nil
            }
            return state.inputs.removeFirst()
        }
    }

    private func carryOut(_ input: Input) {
        guard !state.withLock(\.isClosed) else {
            if case .want(let answer) = input { answer?(.appDeleted) }
            return
        }
        loadOnce()
        switch input {
        case .start: break
        case .want(let answer): want(answer)
        case .unwant: unwant()
        case .checkInChanged: checkInChanged()
        case .checkInFailed: checkInFailed()
        case .reachable(let isReachable): if isReachable { take { $0.hurry(at: $1) } }
        case .stream(let number, let event): streamTold(event, number: number)
        case .send(let message): send(message)
        case .told(let ids): forget(ids)
        case .time(let time): timePassed(time)
        case .close: close()
        }
    }
}

// MARK: - Time and storage

extension DirectChannel {
    var now: Date { platform.clock.now() }

    /// Where the system does not tell, there may be a network.
    var isReachable: Bool { platform.reachability?.isReachable ?? true }

    private func loadOnce() {
        let files = platform.files
        let isFirst = state.withLock { state in
            guard !state.isLoaded else { return false }
            state.isLoaded = true
            state.unconfirmed = UnconfirmedIDs(in: files)
            state.queue = UpstreamQueue(stored: state.store.load())
            return true
        }
        if isFirst { tellExpired(at: now) }
    }

    private func timePassed(_ time: Date) {
        // A sleeper may wake a hair early.
        let now = max(now, time)
        state.withLock { state in
            if let alarm = state.alarm, alarm.time <= time { state.alarm = nil }
        }
        perform(state.withLock { $0.link?.session.timePassed(at: now) } ?? [])
        let isReachable = isReachable
        take { plan, _ in plan.timePassed(isReachable: isReachable, at: now) }
        tellExpired(at: now)
    }

    /// Wakes at the next time that matters. An alarm that rings too early costs less than a task for each packet.
    private func setAlarm() {
        let now = now
        state.withLock { state in
            guard !state.isClosed else { return }
            let times = [state.plan.nextDeadline, state.link?.session.nextDeadline, state.queue.nextExpiry]
            guard let time = times.compactMap({ $0 }).min() else { return }
            if let alarm = state.alarm, alarm.time <= time { return }
            state.alarm?.task.cancel()
            let clock = platform.clock
            let task = platform.executors.start { [weak self] in
                guard (try? await clock.sleep(seconds: max(0, time.timeIntervalSince(now)))) != nil else { return }
                self?.handle(.time(time))
            }
            state.alarm = (time, task)
        }
    }

    private func close() {
        let (link, alarm, answers) = state.withLock { state in
            state.isClosed = true
            state.plan.unwant()
            defer { state.answers = [] }
            return (state.link.take(), state.alarm.take(), state.answers)
        }
        alarm?.task.cancel()
        if let link { sayGoodbye(link) }
        for answer in answers { answer(.appDeleted) }
    }

    func sayGoodbye(_ link: Link) {
        var link = link
        for case .write(let bytes) in link.session.close() { link.stream.write(bytes) }
        link.stream.close()
    }
}
