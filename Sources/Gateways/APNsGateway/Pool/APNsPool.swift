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
    private struct Inbox {
        var requests: [PushRequest] = []
        var queued = 0
        var isScheduled = false
        var isClosed = false
    }

    private static let tickInterval: Duration = .milliseconds(250)
    private static let idleTickInterval: Duration = .seconds(5)

    let credential: APNsCredential
    let endpoint: APNsEndpoint
    let loop: EventLoop
    let configuration: APNsGatewayConfiguration
    private let token: ProviderToken?
    private let tls: TLSClientContext
    private let clock: any WallClock
    private let staysOnThisMachine: Bool
    let measures: APNsMeasures
    private let logger: Logger
    private let inbox = Mutex(Inbox())

    // Unchecked because the checks cost a tenth of a push; none of these values calls back while it changes.
    @exclusivity(unchecked) private var queue = RequestQueue()
    @exclusivity(unchecked) private var connections: [APNsConnection] = []
    @exclusivity(unchecked) private var backOff = ConnectBackOff()
    @exclusivity(unchecked) private var breaker = CredentialBreaker()
    @exclusivity(unchecked) private var isPumpScheduled = false
    private var pumpTimer: ScheduledTimer?
    private var ticker: ScheduledTimer?
    private var lastGrowth: MonotonicTime?
    private var lastFailure = "not connected"
    private var isEnding = false
    private var closing: [@Sendable () -> Void] = []

    init(
        credential: APNsCredential, endpoint: APNsEndpoint, loop: EventLoop, configuration: APNsGatewayConfiguration,
        token: ProviderToken?, tls: TLSClientContext, clock: any WallClock, staysOnThisMachine: Bool,
        measures: APNsMeasures, logger: Logger
    ) {
        self.credential = credential
        self.endpoint = endpoint
        self.loop = loop
        self.configuration = configuration
        self.token = token
        self.tls = tls
        self.clock = clock
        self.staysOnThisMachine = staysOnThisMachine
        self.measures = measures
        self.logger = logger
    }

    var now: MonotonicTime { loop.batchTime }

    // MARK: From any thread

    func enqueue(_ request: PushRequest) {
        let (isTaken, isFirst) = inbox.withLock { inbox in
            guard !inbox.isClosed, inbox.queued < configuration.maximumQueuedPushes else { return (false, false) }
            inbox.requests.append(request)
            inbox.queued += 1
            defer { inbox.isScheduled = true }
            return (true, !inbox.isScheduled)
        }
        guard isTaken else { return request.complete(.tryLater("The gateway's queue is full.", milliseconds: 1_000)) }
        measures.queued.add(1)
        if isFirst, !loop.execute({ self.collect() }) { collectAfterLoopEnded() }
    }

    /// Takes no more pushes and calls back when the last answer is in.
    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.isClosed = true }
        let isRunning = loop.execute {
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
    private func pump() {
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
            measures.waitedInQueue(now.since(request.enqueuedAt))
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

    private func taken(_ count: Int) {
        guard count > 0 else { return }
        inbox.withLock { $0.queued -= count }
        measures.queued.add(-Int64(count))
    }

    private func sendBackQueue(_ text: String) {
        let requests = queue.removeAll()
        taken(requests.count)
        let pause = backOff.remaining(at: now).milliseconds
        for request in requests { request.complete(.tryLater(text, milliseconds: pause)) }
    }

    // MARK: Connections

    /// Opens what is missing for the pushes that wait.
    private func makeRoom() {
        guard let oldest = queue.first, !isEnding else { return }
        let usable = connections.filter(\.state.isUsable)
        guard usable.count < configuration.maximumConnections else { return }
        if usable.isEmpty { return openFirst() }
        let isGettingOne = usable.contains { $0.state.phase.isConnecting || $0.state.phase == .unproved }
        let hasWaited = now.since(oldest.enqueuedAt) >= configuration.waitBeforeGrowing
        let isRested = lastGrowth.map { now.since($0) >= configuration.pauseBetweenGrowing } ?? true
        guard hasWaited, isRested, !isGettingOne, backOff.remaining(at: now) == .zero else { return }
        lastGrowth = now
        connect()
    }

    private func openFirst() {
        let pause = backOff.remaining(at: now)
        guard pause > .zero else { return connect() }
        if backOff.isUnreachable { return sendBackQueue("APNs cannot be reached: \(lastFailure).") }
        guard pumpTimer?.isPending != true else { return }
        pumpTimer = loop.schedule(after: pause) { [weak self] in self?.pump() }
    }

    private func connect() {
        guard !staysOnThisMachine || endpoint.isOnThisMachine else { return }
        let connection = APNsConnection(pool: self, needsProof: token != nil)
        connections.append(connection)
        measures.connectionsOpened.increment()
        connection.start(endpoint, tls: tls)
        startTicking()
    }

    func mayUse(peerAddress: String) -> Bool {
        !staysOnThisMachine || APNsEndpoint.isLoopback(peerAddress)
    }

    func connectionIsReady() {
        backOff.connected()
        schedulePump()
    }

    func connectFailed(reason: String) {
        let reason = reason.isEmpty ? lastFailure : reason
        lastFailure = reason
        backOff.connectFailed(at: now)
        logger.warning("APNs cannot be reached", ["host": .string(endpoint.host), "reason": .string(reason)])
        measures.connectFailures.increment()
        if !connections.contains(where: { $0.state.isUsable }) { sendBackQueue("APNs cannot be reached: \(reason).") }
    }

    /// A connection takes no more requests: its successor is opened before it is gone.
    func connectionRetired(_ connection: APNsConnection) {
        if !connection.wasProductive { backOff.connectionWasUnproductive(at: now) }
        let isNeeded = !queue.isEmpty || connection.requestsUnderWay > 0
        let hasOther = connections.contains { $0 !== connection && $0.state.isUsable }
        guard isNeeded, !hasOther, !isEnding else { return schedulePump() }
        if backOff.remaining(at: now) == .zero { connect() } else { schedulePump() }
    }

    func remove(_ connection: APNsConnection) {
        connections.removeAll { $0 === connection }
        schedulePump()
        finishClosing()
    }

    /// APNs refuses the credential: pushes fail with its reason until a pause is over.
    func halt(reason: String) {
        let answer = APNsAnswer(status: 403, reason: reason)
        breaker.halt(answer, at: now)
        logger.error(
            "APNs refuses the credential", ["credential": .integer(credential.serial), "reason": .string(reason)])
        let requests = queue.removeAll()
        taken(requests.count)
        for request in requests { request.complete(GatewayAnswer(answer, pushID: request.pushID)) }
    }

    private func finishClosing() {
        guard !closing.isEmpty, connections.isEmpty else { return }
        ticker?.cancel()
        pumpTimer?.cancel()
        for completion in closing { completion() }
        closing = []
    }

    // MARK: Outcomes

    func answered(
        _ request: PushRequest, _ answer: APNsAnswer, _ rules: APNsAnswerRules, token used: ProviderToken.Snapshot?
    ) {
        measures.answered(answer, after: now.since(request.submittedAt))
        if rules.isProductive { backOff.wasProductive() }
        if answer.status == 200 { breaker.accepted() }
        if rules.isRefusalOfCredential { breaker.refused(answer, at: now) }
        if rules.renewsToken, let used { refuse(used) }
        guard rules.resends else { return request.complete(GatewayAnswer(answer, pushID: request.pushID)) }
        request.resends += 1
        putBack(request)
    }

    private func refuse(_ used: ProviderToken.Snapshot) {
        measures.tokensRefused.increment()
        token?.refused(generation: used.generation, at: now)
    }

    /// The service did not process the request.
    func sendAgain(_ request: PushRequest) {
        measures.refusedStreams.increment()
        request.resends += 1
        guard request.resends <= 5 else {
            return request.complete(.tryLater("APNs refuses streams.", milliseconds: 1_000))
        }
        putBack(request)
    }

    /// The service may have processed the request: it is repeated once, under the same `apns-id`.
    func outcomeUnknown(_ request: PushRequest) {
        measures.unknownOutcomes.increment()
        request.unknownOutcomes += 1
        guard request.unknownOutcomes <= 1 else {
            return request.complete(.tryLater("APNs did not answer.", milliseconds: 0))
        }
        putBack(request)
    }

    private func putBack(_ request: PushRequest) {
        guard !isEnding else {
            return request.complete(.tryLater("The gateway is shutting down.", milliseconds: 0))
        }
        inbox.withLock { $0.queued += 1 }
        measures.queued.add(1)
        queue.putBack(request)
        schedulePump()
    }

    func note(_ reason: CloseReason) {
        switch reason {
        case .cannotConnect(let detail), .tlsFailed(let detail): lastFailure = detail
        case .timedOut: lastFailure = "timed out"
        case .loopStopped:
            isEnding = true
            sendBackQueue("The gateway has ended.")
        default: lastFailure = "the connection was lost"
        }
    }

    func note(goAway reason: String, code: UInt32) {
        measures.goneAway(reason: reason)
        logger.info(
            "APNs ends a connection",
            ["host": .string(endpoint.host), "reason": .string(reason), "code": .integer(Int64(code))])
    }

    // MARK: Time

    private func startTicking() {
        guard ticker?.isPending != true, !connections.isEmpty || !queue.isEmpty else { return }
        let isBusy = !queue.isEmpty || connections.contains { $0.requestsUnderWay > 0 || $0.state.phase.isConnecting }
        ticker = loop.schedule(after: isBusy ? Self.tickInterval : Self.idleTickInterval) { [weak self] in
            self?.tick()
        }
    }

    private func tick() {
        for connection in connections { connection.tick(pushesWait: !queue.isEmpty) }
        while let oldest = queue.first, now.since(oldest.enqueuedAt) >= configuration.longestWait {
            queue.removeFirst()
            taken(1)
            oldest.complete(.tryLater("No stream to APNs became free.", milliseconds: 0))
        }
        pump()
        startTicking()
    }
}

extension APNsConnectionState.Phase {
    var isConnecting: Bool {
        switch self {
        case .connecting, .awaitingSettings: true
        default: false
        }
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
