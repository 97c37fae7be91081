import EventLoop
import HTTP2Wire
import Transport

extension SimulatedConnection {
    /// Answers a whole request, or does what a fault wants instead.
    func answer(_ received: ReceivedRequest) {
        if isIdle { return answerIdleTimeout(received) }
        if fails { return answerInternalError(received) }
        switch received.faults.outcome {
        case .answer(let answer): send(service.answer(received, with: answer, on: &identity), for: received)
        case .noAnswer(isDelivered: true): _ = service.judge(received, on: &identity)
        case .noAnswer(isDelivered: false): noteUnanswered(received, "NoAnswer")
        case .resetStream(let code):
            noteUnanswered(received, "StreamReset")
            try? session.submitReset(stream: received.stream, code: HTTP2ErrorCode(rawValue: code))
        case .goAway(let fault):
            if fault.unprocessedStreams == 0 { judge(received) }
            goAway(fault)
        case .halfOpen:
            noteUnanswered(received, "HalfOpen")
            freeze()
        case .closeConnection(let close): closeInsteadOfAnswer(received, close)
        case .shutdown:
            send(service.answer(received, with: .shutdown, on: &identity), for: received)
            goAway(GoAwayFault(reason: RejectionReason.shutdown.rawValue))
        case .serverErrors:
            fails = true
            answerInternalError(received)
        default: judge(received)
        }
    }

    private func judge(_ received: ReceivedRequest) {
        send(service.judge(received, on: &identity), for: received)
    }

    private func answerInternalError(_ received: ReceivedRequest) {
        send(service.answer(received, with: ScriptedAnswer(status: 500), on: &identity), for: received)
    }

    private func answerIdleTimeout(_ received: ReceivedRequest) {
        let answer = ScriptedAnswer(status: 400, reason: RejectionReason.idleTimeout.rawValue)
        send(service.answer(received, with: answer, on: &identity), for: received)
        goAway(GoAwayFault(reason: RejectionReason.idleTimeout.rawValue))
    }

    private func noteUnanswered(_ received: ReceivedRequest, _ what: String) {
        service.noteUnanswered(received, as: what, environment: identity.environment)
    }

    // MARK: Sending

    private func send(_ decision: Decision, for received: ReceivedRequest) {
        if decision.rejection == .expiredProviderToken && behaviour.failsAfterExpiredToken { fails = true }
        let delay = received.faults.delayMilliseconds
        guard delay > 0 else { return submit(decision, on: received.stream) }
        connection.loop.schedule(after: .milliseconds(delay)) { [weak self] in
            guard let self, !isFrozen, streams[received.stream] != nil else { return }
            submit(decision, on: received.stream)
            service.noteAnswer(of: decision.number)
            scheduleFlush()
        }
    }

    private func submit(_ decision: Decision, on stream: Int32) {
        if let limit = limiter.note(decision) {
            try? session.submitSettings(HTTP2Settings(maximumConcurrentStreams: limit))
        }
        guard let reply = decision.reply else { return }
        try? session.submitResponse(stream: stream, status: reply.status, fields: reply.fields, body: reply.body)
        countErrors(reply)
    }

    private func countErrors(_ reply: Reply) {
        guard reply.status >= 400, reply.status != 410 else { return }
        record.errors += reply.reason == RejectionReason.badDeviceToken.rawValue ? 2 : 1
        guard let maximum = behaviour.maximumErrors, record.errors >= maximum, !record.goAwaySent else { return }
        goAway(GoAwayFault())
    }

    // MARK: Ends

    /// Says GOAWAY. The connection closes when the streams that still count are done.
    func goAway(_ fault: GoAwayFault) {
        // Answers that are ready go first, whole: HTTP/2 libraries may take nothing after GOAWAY.
        writeOutput()
        let lastStream = dropNewest(fault.unprocessedStreams)
        record.goAwaySent = true
        if fault.keepsConnection { closesWhenFinished = false }
        for _ in 0..<(fault.isRepeated ? 2 : 1) {
            try? session.submitGoAway(
                lastStream: lastStream, code: HTTP2ErrorCode(rawValue: fault.code), debugData: fault.debugData)
        }
        try? session.submitPing(opaque: Self.goAwayFence)
        scheduleFlush()
    }

    /// Forgets the newest streams as if they had never been looked at.
    ///
    /// - Returns: The highest stream that is left; `nil` when none had to go.
    private func dropNewest(_ count: Int) -> Int32? {
        let dropped = streams.keys.sorted(by: >).prefix(count)
        guard let lowest = dropped.last else { return nil }
        for stream in dropped {
            guard let received = streams.removeValue(forKey: stream)?.received else { continue }
            noteUnanswered(received, "NotProcessed")
        }
        return max(0, lowest - 2)
    }

    /// Leaves the socket open and does nothing with it any more.
    func freeze() {
        isFrozen = true
        connection.pauseReading()
        connection.idleLimit = nil
    }

    /// Ends the connection without GOAWAY.
    func end(reset: Bool) {
        isFrozen = true
        reset ? connection.reset() : connection.close()
    }

    private func closeInsteadOfAnswer(_ received: ReceivedRequest, _ close: CloseFault) {
        if close.moment == .answer {
            submit(service.judge(received, on: &identity), on: received.stream)
            var output: [UInt8] = []
            session.drainOutput(into: &output)
            connection.write(Array(output.dropLast(max(1, output.count / 2))))
        } else {
            noteUnanswered(received, "ConnectionClosed")
        }
        end(reset: close.isReset)
    }

    /// Says GOAWAY and closes, whatever is still to be answered.
    func shutDown() {
        if !isFrozen {
            goAway(GoAwayFault(reason: RejectionReason.shutdown.rawValue))
            flushBatch()
        }
        connection.close()
    }

    /// `strike` from outside of an event.
    func strikeAndFlush(_ fault: Fault) {
        strike(fault)
        scheduleFlush()
    }

    /// Does to the connection what a fault would do at the next request.
    func strike(_ fault: Fault) {
        guard !isFrozen else { return }
        switch fault {
        case .goAway(let fault): goAway(fault)
        case .shutdown: goAway(GoAwayFault(reason: RejectionReason.shutdown.rawValue))
        case .halfOpen: freeze()
        case .closeConnection(let close): end(reset: close.isReset)
        case .serverErrors: fails = true
        default: break
        }
    }
}

extension ScriptedAnswer {
    fileprivate static let shutdown = ScriptedAnswer(status: 503, reason: RejectionReason.shutdown.rawValue)
}
