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

    /// Kept until the transport has reported its end, which may be after the pool let go of the connection.
    let pool: APNsPool
    let session: HTTP2ClientSession
    private let prefix: HTTP2FieldPrefix
    @exclusivity(unchecked) var transport: Connection?
    // The checks of exclusive access at run time cost a tenth of a push; nothing here calls back while it changes.
    @exclusivity(unchecked) var state: APNsConnectionState
    @exclusivity(unchecked) var requests: [Int32: PushRequest] = [:]
    private var output: [UInt8] = []
    @exclusivity(unchecked) var isFlushScheduled = false
    /// The token that the last request carried.
    @exclusivity(unchecked) var lastToken: ProviderToken.Snapshot?
    /// Whether any push was judged by the service.
    @exclusivity(unchecked) var wasProductive = false

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

    func perform(_ actions: [APNsConnectionState.Action]) {
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

    func remove(_ stream: Int32) -> PushRequest? {
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

    func scheduleFlush() {
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
