import EventLoop
import PushCore
import PushModel
import Synchronization
import Telemetry
import Timekeeping
import Transport

/// The connections of one credential in one environment, and the pushes that wait for them.
///
/// `@unchecked Sendable`: `inbox` is guarded by itself, everything else is touched on `loop` only.
final class APNsPool: @unchecked Sendable {
    struct Inbox {
        var requests: [PushRequest] = []
        var queued = 0
        var isScheduled = false
        var isClosed = false
    }

    let credential: APNsCredential
    let endpoint: APNsEndpoint
    let loop: EventLoop
    let configuration: APNsGatewayConfiguration
    let token: ProviderToken?
    let tls: TLSClientContext
    let clock: any WallClock
    let staysOnThisMachine: Bool
    private let gathering: Gathering
    let measures: APNsMeasures
    let logger: Logger
    let inbox = Mutex(Inbox())

    // Unchecked because the checks cost a tenth of a push; none of these values calls back while it changes.
    @exclusivity(unchecked) var queue = RequestQueue()
    @exclusivity(unchecked) var connections: [APNsConnection] = []
    @exclusivity(unchecked) var backOff = ConnectBackOff()
    @exclusivity(unchecked) var breaker = CredentialBreaker()
    @exclusivity(unchecked) var isPumpScheduled = false
    var pumpTimer: ScheduledTimer?
    var ticker: ScheduledTimer?
    var isTickingSlowly = false
    var lastGrowth: MonotonicTime?
    var lastFailure = "not connected"
    var isEnding = false
    var closing: [@Sendable () -> Void] = []

    init(
        credential: APNsCredential, endpoint: APNsEndpoint, loop: EventLoop, configuration: APNsGatewayConfiguration,
        token: ProviderToken?, tls: TLSClientContext, clock: any WallClock, staysOnThisMachine: Bool,
        gathering: Gathering, measures: APNsMeasures, logger: Logger
    ) {
        self.credential = credential
        self.endpoint = endpoint
        self.loop = loop
        self.configuration = configuration
        self.token = token
        self.tls = tls
        self.clock = clock
        self.staysOnThisMachine = staysOnThisMachine
        self.gathering = gathering
        self.measures = measures
        self.logger = logger
    }

    var now: MonotonicTime { loop.batchTime }

    // MARK: From any thread

    func enqueue(_ request: PushRequest) {
        let isGathering = gathering.isOn
        let (isTaken, isFirst) = inbox.withLock { inbox in
            guard !inbox.isClosed, inbox.queued < configuration.maximumQueuedPushes else { return (false, false) }
            inbox.requests.append(request)
            inbox.queued += 1
            guard !isGathering else { return (true, false) }
            defer { inbox.isScheduled = true }
            return (true, !inbox.isScheduled)
        }
        guard isTaken else { return request.complete(.tryLater("The gateway's queue is full.", milliseconds: 1_000)) }
        measures.queued.add(1)
        if isFirst { scheduleCollection() }
        // Whoever gathered may have ended before this push was in.
        if isGathering, !gathering.isOn { collectSoon() }
    }

    /// Lets the loop take what gathered.
    func collectSoon() {
        let isFirst = inbox.withLock { inbox in
            guard !inbox.requests.isEmpty, !inbox.isScheduled else { return false }
            inbox.isScheduled = true
            return true
        }
        if isFirst { scheduleCollection() }
    }

    private func scheduleCollection() {
        if !loop.execute({ self.collect() }) { collectAfterLoopEnded() }
    }

    /// Takes no more pushes and calls back when the last answer is in.
    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.isClosed = true }
        let isRunning = loop.execute {
            self.collect()
            self.isEnding = true
            self.closing.append(completion)
            self.sendBackQueue("The gateway is shutting down.")
            for connection in self.connections { connection.replace() }
            self.finishClosing()
        }
        if !isRunning { completion() }
    }

    private func collectAfterLoopEnded() {
        let requests = inbox.withLock { inbox in
            defer { inbox.requests = [] }
            return inbox.requests
        }
        for request in requests { request.complete(.tryLater("The gateway has ended.", milliseconds: 1_000)) }
    }

    // MARK: On the loop

    private func collect() {
        let requests = inbox.withLock { inbox in
            inbox.isScheduled = false
            defer { inbox.requests = [] }
            return inbox.requests
        }
        queue.append(requests)
        pump()
        startTicking()
    }

    /// Submits waiting pushes soon, once for all that happened until then.
    func schedulePump() {
        guard !isPumpScheduled, !queue.isEmpty else { return }
        isPumpScheduled = true
        loop.executeLater { [self] in
            isPumpScheduled = false
            pump()
        }
    }

    /// Submits as many waiting pushes as streams and windows allow.
    func pump() {
        guard !queue.isEmpty else { return }
        guard let token = currentToken() else { return }
        var submitted = 0
        defer { taken(submitted) }
        while let request = queue.first {
            guard clock.now() < request.push.expiresAt else {
                queue.removeFirst()
                submitted += 1
                request.complete(.tryLater("The push expired.", milliseconds: 0))
                continue
            }
            if let answer = breaker.refusal(at: now) {
                queue.removeFirst()
                submitted += 1
                request.complete(GatewayAnswer(answer, pushID: request.pushID))
                continue
            }
            guard let connection = freest(for: request, token.snapshot) else { return makeRoom() }
            guard connection.submit(request, token: token.snapshot) else {
                connection.replace()
                continue
            }
            queue.removeFirst()
            submitted += 1
            breaker.letThrough(at: now)
            measures.waitedInQueue(now.since(request.waitingSince))
        }
    }

    /// The connection with the most free streams.
    private func freest(for request: PushRequest, _ token: ProviderToken.Snapshot?) -> APNsConnection? {
        var best: (connection: APNsConnection, free: Int)?
        var outdated: [APNsConnection] = []
        for connection in connections where connection.state.isUsable {
            if let token, !connection.mayCarry(token) {
                outdated.append(connection)
                continue
            }
            let free = connection.freeStreams(forBody: request.push.payload.count)
            if free > best?.free ?? 0 { best = (connection, free) }
        }
        for connection in outdated { connection.replace() }
        return best?.connection
    }

    /// The token for this round; `(nil)` with a certificate.
    private func currentToken() -> (snapshot: ProviderToken.Snapshot?, Void)? {
        guard let token else { return (nil, ()) }
        do {
            return (try token.current(at: now), ())
        } catch {
            sendBackQueue("The provider token cannot be signed.")
            return nil
        }
    }

    func taken(_ count: Int) {
        guard count > 0 else { return }
        inbox.withLock { $0.queued -= count }
        measures.queued.add(-Int64(count))
    }

    func sendBackQueue(_ text: String) {
        let requests = queue.removeAll()
        taken(requests.count)
        let pause = backOff.remaining(at: now).milliseconds
        for request in requests { request.complete(.tryLater(text, milliseconds: pause)) }
    }

}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension GatewayAnswer {
    /// The service was not asked, or did not say.
    static func tryLater(_ text: String, milliseconds: Int64) -> GatewayAnswer {
        .retry(afterMilliseconds: milliseconds, SendError(.unavailable, text))
    }
}
