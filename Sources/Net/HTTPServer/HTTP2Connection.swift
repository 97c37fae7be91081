import EventLoop
import HTTP1Wire
import HTTP2Wire
import HTTPSemantics
import Transport

/// One HTTP/2 connection of a server.
///
/// `@unchecked Sendable`: touched on its loop's thread only; the handlers' tasks run there too.
final class HTTP2Connection: @unchecked Sendable {
    /// Marks the PING whose answer shows that the peer has seen the first GOAWAY.
    private static let farewellMark: UInt64 = 0x7068_6172_6f73_0001

    let connection: Connection
    let part: ServerLoop
    let handler: any HTTPHandler
    let session: HTTP2ServerSession
    var streams: [Int32: HTTP2Stream] = [:]
    /// Bytes in the collectors of all streams.
    var pendingBodyBytes = 0
    /// Handlers at work, also those whose streams were given up.
    var runningHandlers = 0
    /// Answers that wait until their last piece has left.
    var streamsToDrain = 0
    private var controlFrames: FloodGate
    private var resets: FloodGate
    private var idleDeadline: LazyDeadline?
    private var sweepTimer: ScheduledTimer?
    private var farewellTimer: ScheduledTimer?
    private var isFlushScheduled = false
    private(set) var isLeaving = false
    /// The peer went beyond a limit: what else it has sent is not looked at.
    private(set) var isCutOff = false
    private var hasEnded = false

    var configuration: HTTPServerConfiguration { part.shared.configuration }

    init(_ connection: Connection, part: ServerLoop) {
        let configuration = part.shared.configuration
        self.connection = connection
        self.part = part
        handler = part.shared.makeHandler(connection)
        session = HTTP2ServerSession(Self.wireConfiguration(configuration))
        let (burst, rate) = (configuration.controlFrameBurst, configuration.controlFramesPerSecond)
        controlFrames = FloodGate(burst: burst, perSecond: rate, now: part.loop.batchTime)
        resets = controlFrames
    }

    private static func wireConfiguration(_ configuration: HTTPServerConfiguration) -> HTTP2ServerConfiguration {
        var wire = HTTP2ServerConfiguration()
        wire.settings.maximumConcurrentStreams = configuration.maximumConcurrentStreams
        wire.settings.initialWindowBytes = configuration.streamWindowBytes
        wire.settings.maximumHeaderListBytes = configuration.http1.headerSectionBytes
        wire.connectionWindowBytes = configuration.connectionWindowBytes
        return wire
    }

    // MARK: Events

    private func process(_ events: [HTTP2ServerEvent]) {
        for event in events {
            switch event {
            case .request(let request): begin(request)
            case .data(let stream, let bytes, let isLast): collect(stream, bytes, isLast: isLast)
            case .closed(let stream, _): forget(stream)
            case .reset: admit(through: &resets)
            case .ping, .settings, .refused: admit(through: &controlFrames)
            case .rejected(_, let status):
                part.shared.metrics.requestRefused(status: status)
                admit(through: &controlFrames)
            case .pingAcknowledged(Self.farewellMark): sayLastWord()
            case .pingAcknowledged, .settingsAcknowledged, .goAway: break
            case .failed(let error): leaveAtOnce(error == .flooded ? .enhanceYourCalm : .protocolError)
            }
        }
    }

    private func forget(_ id: Int32) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        stream.drained?.resume()
        pendingBodyBytes -= stream.pendingBodyBytes
        if case .answering(let running) = stream.phase { running.task?.cancel() }
        if streams.isEmpty { idleDeadline?.set(after: configuration.http2IdleLimit) }
    }

    // MARK: Output

    /// Sends at the end of the loop's round, so that the answers of many streams share records and system calls.
    func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        part.loop.flushAfterBatch(self)
    }

    private func flush() {
        while session.wantsWrite, connection.isWritable {
            part.output.removeAll(keepingCapacity: true)
            session.drainOutput(into: &part.output)
            guard !part.output.isEmpty else { break }
            connection.write(part.output)
        }
        process(session.takeEvents())
        wakeDrainedStreams()
        // Between the two GOAWAYs the session seems finished, but a request may be on its way.
        if session.isFinished, farewellTimer == nil { end() }
    }

    private func end() {
        hasEnded = true
        stopTimers()
        connection.close()
    }

    private func stopTimers() {
        idleDeadline?.end()
        sweepTimer?.cancel()
        farewellTimer?.cancel()
    }

    // MARK: Deadlines

    /// Streams have no timer of their own: one look at all of them from time to time, while there are any.
    func armSweep() {
        guard sweepTimer == nil, !hasEnded else { return }
        let shortest = min(configuration.bodyDeadline, configuration.sendDeadline)
        let interval = min(max(shortest / 4, .milliseconds(10)), .seconds(5))
        sweepTimer = part.loop.schedule(after: interval) { [unowned self] in sweep() }
    }

    private func sweep() {
        sweepTimer = nil
        let now = part.loop.batchTime
        for (id, stream) in streams {
            guard let deadline = stream.deadline, deadline <= now else { continue }
            if case .receiving = stream.phase { refuse(id, .timedOut) } else { reset(id, .cancel) }
        }
        if !streams.isEmpty { armSweep() }
    }

    func reset(_ id: Int32, _ code: HTTP2ErrorCode) {
        try? session.submitReset(stream: id, code: code)
        forget(id)
        scheduleFlush()
    }

    // MARK: The end

    /// GOAWAY in two steps (RFC 9113 §6.8): first without a bound, and when the peer must have seen that (it answers
    /// a PING), with the last stream that will be answered.
    private func leave() {
        guard !isLeaving, !hasEnded else { return }
        isLeaving = true
        idleDeadline?.clear()
        try? session.submitShutdownNotice()
        try? session.submitPing(opaque: Self.farewellMark)
        farewellTimer = part.loop.schedule(after: .seconds(1)) { [unowned self] in sayLastWord() }
        scheduleFlush()
    }

    private func sayLastWord() {
        guard isLeaving, let timer = farewellTimer else { return }
        timer.cancel()
        farewellTimer = nil
        try? session.submitGoAway()
        scheduleFlush()
    }

    private func admit(through gate: inout FloodGate) {
        guard !isCutOff, !gate.admit(at: part.loop.batchTime) else { return }
        leaveAtOnce(.enhanceYourCalm)
    }

    /// The peer misbehaves: no new streams, but requests already taken are still answered.
    private func leaveAtOnce(_ code: HTTP2ErrorCode) {
        guard !hasEnded else { return }
        isCutOff = true
        isLeaving = true
        connection.pauseReading()
        farewellTimer?.cancel()
        farewellTimer = nil
        try? session.submitGoAway(code: code)
        scheduleFlush()
    }
}

extension HTTP2Connection: ConnectionHandler {
    func opened(_ connection: Connection) {
        let idleDeadline = LazyDeadline(loop: part.loop) { [unowned self] in
            if streams.isEmpty { leave() }
        }
        idleDeadline.set(after: configuration.http2IdleLimit)
        self.idleDeadline = idleDeadline
        part.enter(self)
        if part.isDraining { leave() }
        scheduleFlush()
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        guard !hasEnded else { return }
        process(session.receive(bytes))
        scheduleFlush()
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        connection.close()
    }

    func becameWritable(_ connection: Connection) {
        scheduleFlush()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        hasEnded = true
        stopTimers()
        for id in Array(streams.keys) { forget(id) }
        part.leave(self)
    }
}

extension HTTP2Connection: BatchFlushing {
    func flushBatch() {
        isFlushScheduled = false
        if connection.isOpen { flush() }
    }
}

extension HTTP2Connection: DrainableConnection {
    func drain() {
        leave()
    }

    func abort() {
        connection.abort()
    }
}
