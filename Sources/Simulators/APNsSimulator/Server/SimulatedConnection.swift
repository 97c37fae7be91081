import EventLoop
import HTTP2Wire
import HTTPSemantics
import Timekeeping
import Transport

/// One connection of a sender: carries out what the service and the faults decide.
///
/// `@unchecked Sendable`: everything is touched on the connection's loop only; the reference travels so that commands
/// from outside can be handed to that loop.
final class SimulatedConnection: @unchecked Sendable {
    /// A request that is arriving or waits for its delayed answer.
    struct Stream {
        var received: ReceivedRequest
        var isComplete = false
    }

    /// Marks the PING that follows a GOAWAY: its answer proves that the client has processed both.
    static let goAwayFence: UInt64 = 0x676F_6177_6179_0001

    let number: Int
    let connection: Connection
    let service: PushService
    let rules: ConnectionRules
    let behaviour: ConnectionBehaviour
    let session: HTTP2ServerSession
    var identity: ConnectionIdentity
    var limiter: StreamLimiter
    var streams: [Int32: Stream] = [:]
    var record: ConnectionRecord
    /// Nothing is read or written any more.
    var isFrozen = false
    /// Every answer is 500.
    var fails = false
    /// The client was silent for too long.
    var isIdle = false
    /// Whether the connection closes when the session has nothing left to do.
    var closesWhenFinished = true
    private var watcher = FrameWatcher()
    private var hasSettingsConfirmed = false
    private var knowsGoAway = false
    private var isFlushScheduled = false
    private var idleTimer: ScheduledTimer?

    init(
        _ connection: Connection, service: PushService, rules: ConnectionRules, record: ConnectionRecord,
        identity: ConnectionIdentity, faults: [Fault]
    ) {
        self.connection = connection
        self.service = service
        self.rules = rules
        self.record = record
        self.identity = identity
        number = record.number
        behaviour = ConnectionBehaviour(rules: rules, hasCertificate: identity.certificate != nil, faults: faults)
        session = HTTP2ServerSession(behaviour.sessionConfiguration(rules: rules))
        limiter = StreamLimiter(
            first: behaviour.firstStreamLimit, authorized: behaviour.authorizedStreamLimit,
            dropsAfterError: behaviour.dropsLimitAfterError)
    }

    // MARK: Events of the session

    private func handle(_ event: HTTP2ServerEvent) {
        switch event {
        case .request(let request): begin(request)
        case .data(let stream, let bytes, let endStream): append(bytes, to: stream, isLast: endStream)
        case .reset(let stream, _): abandon(stream, as: "ResetByClient")
        case .closed(let stream, _): abandon(stream, as: "Closed")
        case .refused: noteRefusal()
        case .settingsAcknowledged: hasSettingsConfirmed = true
        case .ping: record.pings += 1
        case .pingAcknowledged(Self.goAwayFence): knowsGoAway = true
        case .rejected, .settings, .pingAcknowledged, .goAway, .failed: break
        }
    }

    private func begin(_ request: HTTP2Request) {
        record.requests += 1
        record.maximumOpenStreams = max(record.maximumOpenStreams, session.openStreams)
        if !hasSettingsConfirmed { record.requestsBeforeSettings += 1 }
        armIdleTimer()
        var received = ReceivedRequest(
            request: APNsRequest(
                method: request.head.method, path: request.head.target, authority: request.head.authority,
                fields: request.head.fields),
            connection: number, stream: request.stream, ordinal: record.requests,
            neverIndexed: request.rawFields.filter { $0.indexing == .never }.map(\.name),
            headerBlockBytes: request.headerBlockBytes)
        received.faults = service.faults(for: received, environment: identity.environment)
        streams[request.stream] = Stream(received: received)
        if case .closeConnection(let close)? = received.faults.outcome, close.moment == .headers {
            abandon(request.stream, as: "ConnectionClosed")
            return end(reset: close.isReset)
        }
        if request.endStream { complete(request.stream) }
    }

    private func append(_ bytes: [UInt8], to stream: Int32, isLast: Bool) {
        if let delay = behaviour.windowUpdateDelayMilliseconds { giveBack(bytes.count, of: stream, after: delay) }
        if let count = streams[stream]?.received.request.body.count {
            let room = max(0, rules.maximumBodyBytes - count)
            streams[stream]?.received.request.body.append(contentsOf: bytes.prefix(room))
        }
        if isLast { complete(stream) }
    }

    private func complete(_ stream: Int32) {
        guard streams[stream]?.isComplete == false, let received = streams[stream]?.received else { return }
        streams[stream]?.isComplete = true
        answer(received)
    }

    /// Forgets a stream that ended without our answer.
    private func abandon(_ stream: Int32, as what: String) {
        guard let ended = streams.removeValue(forKey: stream), !ended.isComplete else { return }
        service.noteUnanswered(ended.received, as: what, environment: identity.environment)
    }

    private func noteRefusal() {
        record.refusedStreams += 1
        guard behaviour.goesAwayOnLimitViolation else { return }
        goAway(GoAwayFault(text: "Maximum active streams violated for this endpoint.", code: 7))
    }

    private func giveBack(_ count: Int, of stream: Int32, after milliseconds: Int) {
        guard count > 0 else { return }
        connection.loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
            guard let self, !isFrozen else { return }
            try? session.consume(stream: stream, bytes: count)
            scheduleFlush()
        }
    }

    private func armIdleTimer() {
        guard let limit = behaviour.idleMilliseconds, !isIdle else { return }
        idleTimer?.cancel()
        idleTimer = connection.loop.schedule(after: .milliseconds(limit)) { [weak self] in self?.isIdle = true }
    }

    // MARK: Output

    func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        connection.loop.flushAfterBatch(self)
    }

    func writeOutput() {
        while !isFrozen, connection.isWritable, session.wantsWrite {
            var output: [UInt8] = []
            session.drainOutput(into: &output)
            for event in session.takeEvents() { handle(event) }
            guard !output.isEmpty else { break }
            connection.write(output)
        }
        if !isFrozen && closesWhenFinished && session.isFinished { connection.close() }
    }

    private func publish() {
        record.openStreams = streams.count
        record.distinctTokens = identity.distinctTokens
        service.publish(record)
    }
}

extension SimulatedConnection: BatchFlushing {
    func flushBatch() {
        isFlushScheduled = false
        writeOutput()
        publish()
    }
}

extension SimulatedConnection: ConnectionHandler {
    func opened(_ connection: Connection) {
        record.applicationProtocol = connection.security?.applicationProtocol
        record.serverName = connection.security?.serverName
        record.certificateTopics = identity.certificate?.topics
        if let fault = behaviour.goAwayInsteadOfSettings {
            record.goAwaySent = true
            isFrozen = true
            connection.write(GoAwayFrame.bytes(code: fault.code, debugData: fault.debugData))
            connection.close()
        } else if let reason = identity.certificateProblem {
            goAway(GoAwayFault(reason: reason.rawValue))
        }
        armIdleTimer()
        scheduleFlush()
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        guard !isFrozen else { return }
        let requests = watcher.receive(bytes)
        if knowsGoAway { record.requestsAfterGoAway += requests }
        for event in session.receive(bytes) where !isFrozen { handle(event) }
        scheduleFlush()
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        guard !isFrozen else { return }
        connection.close()
    }

    func becameWritable(_ connection: Connection) {
        scheduleFlush()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        isFrozen = true
        idleTimer?.cancel()
        for stream in streams.keys.sorted() { abandon(stream, as: "ConnectionClosed") }
        record.closedAt = service.clock.now()
        record.end = String(describing: reason)
        publish()
        service.forget(self)
    }
}
