import EventLoop
import HTTP2Wire
import JSON
import PushModel
import Telemetry
import Transport

/// One connection to APNs: moves bytes between the socket and the HTTP/2 session, and does what its state decides.
/// Belongs to its pool's loop.
final class APNsConnection {
    private static let bytesPerWrite = 16_384
    private static let maximumAnswerBytes = 4_096

    /// Kept until the transport has reported its end, which may be after the pool let go of the connection.
    private let pool: APNsPool
    private let session: HTTP2ClientSession
    private let prefix: HTTP2FieldPrefix
    @exclusivity(unchecked) private var transport: Connection?
    // The checks of exclusive access at run time cost a tenth of a push; nothing here calls back while it changes.
    @exclusivity(unchecked) private(set) var state: APNsConnectionState
    @exclusivity(unchecked) private var requests: [Int32: PushRequest] = [:]
    private var output: [UInt8] = []
    @exclusivity(unchecked) private var isFlushScheduled = false
    /// The token that the last request carried.
    @exclusivity(unchecked) private var lastToken: ProviderToken.Snapshot?
    /// Whether any push was judged by the service.
    @exclusivity(unchecked) private(set) var wasProductive = false

    init(pool: APNsPool, needsProof: Bool) {
        self.pool = pool
        var configuration = HTTP2ClientConfiguration()
        configuration.keepsResponseFields = false
        session = HTTP2ClientSession(configuration)
        prefix = APNsRequestFields.prefix(authority: pool.endpoint.authority)
        state = APNsConnectionState(timings: pool.configuration.timings, needsProof: needsProof, now: pool.now)
    }

    func start(_ endpoint: APNsEndpoint, tls: TLSClientContext) {
        var limits = ConnectionLimits()
        limits.handshakeDeadline = pool.configuration.timings.connect
        transport = Connection.connect(
            host: endpoint.host, port: endpoint.port, on: pool.loop, deadline: pool.configuration.timings.connect,
            tls: tls, serverName: endpoint.serverName, limits: limits, handler: self)
    }

    // MARK: Requests

    /// Streams free for a body of that size: none while earlier bodies fill the windows, because the session would
    /// starve whoever waits. A body larger than a whole window goes alone.
    func freeStreams(forBody bytes: Int) -> Int {
        let free = state.freeStreams
        guard free > 0, transport?.isWritable == true, session.canSubmit else { return 0 }
        if state.underWay.isEmpty { return free }
        let window = session.connectionSendWindow - session.unsentBodyBytes
        return window >= bytes && session.initialStreamSendWindow >= bytes ? free : 0
    }

    /// Whether the token may follow the one that this connection sent before.
    func mayCarry(_ token: ProviderToken.Snapshot) -> Bool {
        guard let lastToken, lastToken.generation != token.generation else { return true }
        return token.issuedAt.since(lastToken.issuedAt) >= ProviderTokenPolicy.shortestAge
    }

    /// - Returns: `false` when the session takes no more requests.
    func submit(_ request: PushRequest, token: ProviderToken.Snapshot?) -> Bool {
        let stream = try? session.submit(prefix, body: request.push.payload) { writer in
            APNsRequestFields.write(request.push, authorization: token?.authorization, to: &writer)
        }
        guard let stream else { return false }
        request.startAgain()
        request.submittedAt = pool.now
        requests[stream] = request
        pool.measures.underWay.add(1)
        lastToken = token
        perform(state.handle(.submitted(stream: stream, generation: token?.generation ?? 0), at: pool.now))
        scheduleFlush()
        return true
    }

    // MARK: What the pool says

    func tick(pushesWait: Bool) {
        perform(state.handle(.tick(pushesWait: pushesWait), at: pool.now))
        guard state.phase == .open, !session.canSubmit else { return }
        // The identifiers of streams are used up.
        replace()
        pool.connectionRetired(self)
    }

    /// Gives the connection no more requests; it closes when its answers are in.
    func replace() {
        perform(state.handle(.replaced, at: pool.now))
    }

    /// Requests that wait for their answers.
    var requestsUnderWay: Int { requests.count }

    // MARK: What the state decides

    private func perform(_ actions: [APNsConnectionState.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: APNsConnectionState.Action) {
        switch action {
        case .useFreeStreams: pool.schedulePump()
        case .giveUp(let stream): giveUp(stream)
        case .ping:
            try? session.ping(opaque: UInt64(bitPattern: pool.now.nanoseconds))
            scheduleFlush()
        case .openReplacement: pool.connectionRetired(self)
        case .halt(let reason): pool.halt(reason: reason)
        case .failConnecting(let reason): pool.connectFailed(reason: reason)
        case .close: close()
        case .abort: abort()
        }
    }

    private func giveUp(_ stream: Int32) {
        try? session.reset(stream: stream, code: .cancel)
        scheduleFlush()
        if let request = remove(stream) { pool.outcomeUnknown(request) }
        perform(state.handle(.streamEnded(stream: stream), at: pool.now))
    }

    private func remove(_ stream: Int32) -> PushRequest? {
        guard let request = requests.removeValue(forKey: stream) else { return nil }
        pool.measures.underWay.add(-1)
        return request
    }

    private func close() {
        try? session.goAway()
        flushBatch()
        transport?.close()
        detach()
    }

    private func abort() {
        transport?.abort()
        detach()
    }

    /// Leaves the pool; what was under way has an unknown outcome.
    private func detach() {
        let lost = requests.values.sorted { $0.submittedAt > $1.submittedAt }
        pool.measures.underWay.add(-Int64(lost.count))
        requests = [:]
        pool.remove(self)
        for request in lost { pool.outcomeUnknown(request) }
    }

    // MARK: Output

    private func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        pool.loop.flushAfterBatch(self)
    }
}

extension APNsConnection: BatchFlushing {
    /// Sends what the session has, many frames to one TLS record.
    func flushBatch() {
        isFlushScheduled = false
        guard let transport else { return }
        while transport.isWritable {
            output.removeAll(keepingCapacity: true)
            session.drainOutput(into: &output, maximum: Self.bytesPerWrite)
            if output.isEmpty { break }
            transport.write(output)
        }
        take(session.takeEvents())
    }
}

extension APNsConnection: ConnectionHandler {
    func opened(_ connection: Connection) {
        // Services that answer without ALPN speak HTTP/2 all the same.
        let chosen = connection.security?.applicationProtocol ?? "h2"
        guard chosen == "h2", pool.mayUse(peerAddress: connection.peerAddress) else {
            return perform(state.handle(.lost, at: pool.now))
        }
        perform(state.handle(.opened, at: pool.now))
        flushBatch()
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        perform(state.handle(.received, at: pool.now))
        take(session.receive(bytes))
        if session.wantsWrite { scheduleFlush() }
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        perform(state.handle(.lost, at: pool.now))
    }

    func becameWritable(_ connection: Connection) {
        flushBatch()
        pool.schedulePump()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        transport = nil
        pool.note(reason)
        perform(state.handle(.lost, at: pool.now))
    }
}

// MARK: - Input

extension APNsConnection {
    private func take(_ events: [HTTP2ClientEvent]) {
        for event in events { take(event) }
    }

    private func take(_ event: HTTP2ClientEvent) {
        switch event {
        case .settings:
            pool.measures.streamLimit.set(Int64(clamping: session.peerMaximumConcurrentStreams))
            perform(state.handle(.settings(streams: session.peerMaximumConcurrentStreams), at: pool.now))
            if state.isUsable { pool.connectionIsReady() }
        case .response(let stream, let status, _, _): requests[stream]?.status = status
        case .data(let stream, let bytes, _):
            guard !bytes.isEmpty, let request = requests[stream],
                request.body.count + bytes.count <= Self.maximumAnswerBytes
            else {
                return
            }
            request.body += bytes
        case .closed(let stream, let code): streamClosed(stream, code)
        case .goAway(_, let code, let debugData):
            let reason = Self.reason(in: debugData)
            pool.note(goAway: reason, code: code.rawValue)
            perform(state.handle(.goAway(reason: reason), at: pool.now))
        case .failed: perform(state.handle(.lost, at: pool.now))
        case .settingsAcknowledged, .ping, .pingAcknowledged: break
        }
    }

    private func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode) {
        guard let request = remove(stream) else { return }
        if request.status >= 200 {
            answered(request, stream)
        } else {
            perform(state.handle(.streamEnded(stream: stream), at: pool.now))
            code == .refusedStream ? pool.sendAgain(request) : pool.outcomeUnknown(request)
        }
    }

    private func answered(_ request: PushRequest, _ stream: Int32) {
        let answer = Self.answer(status: request.status, body: request.body)
        let rules = APNsAnswerRules(answer, resends: request.resends)
        wasProductive = wasProductive || rules.isProductive
        perform(
            state.handle(
                .answered(stream: stream, isAuthorized: !rules.isRefusalOfCredential && !rules.renewsToken),
                at: pool.now))
        if rules.replacesConnection {
            replace()
            pool.connectionRetired(self)
        }
        pool.answered(request, answer, rules, token: lastToken)
    }

    /// The JSON of an answer; a body that is none counts as an answer without reason.
    private static func answer(status: Int, body: [UInt8]) -> APNsAnswer {
        guard status != 200 else { return APNsAnswer(status: 200, reason: "") }
        let content = body.isEmpty ? nil : (try? JSONValue(parsing: body))?.object
        return APNsAnswer(
            status: status, reason: content?["reason"]?.string ?? "",
            timestampMilliseconds: content?["timestamp"]?.int64)
    }

    /// The reason in GOAWAY's debug data: JSON, plain text, or nothing.
    private static func reason(in debugData: [UInt8]) -> String {
        guard !debugData.isEmpty else { return "" }
        if let reason = (try? JSONValue(parsing: debugData))?["reason"]?.string { return reason }
        return String(decoding: debugData.prefix(200), as: UTF8.self)
    }
}
