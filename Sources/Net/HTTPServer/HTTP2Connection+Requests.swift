import EventLoop
import HTTP2Wire
import HTTPSemantics
import Transport

extension HTTP2Connection {
    func begin(_ request: HTTP2Request) {
        guard !isCutOff else { return reset(request.stream, .refusedStream) }
        let announced = request.head.fields["content-length"].flatMap { Int($0) }
        var stream = HTTP2Stream(head: request.head, phase: .sending)
        do throws(RequestRefusal) {
            if request.head.method == "CONNECT" { throw .tunnelsUnsupported }
            let plan = handler.plan(for: request.head)
            stream.plan = plan
            let body = try BodyCollector(request.head, limit: plan.bodyLimitBytes, announcedBytes: announced)
            stream.phase = .receiving(body)
            stream.deadline = part.loop.batchTime.adding(configuration.bodyDeadline)
            streams[request.stream] = stream
            if request.endStream { try dispatch(request.stream, request.head, body) } else { armSweep() }
        } catch {
            streams[request.stream] = stream
            refuse(request.stream, error, isWhole: request.endStream)
        }
    }

    func collect(_ id: Int32, _ bytes: [UInt8], isLast: Bool) {
        guard let head = streams[id]?.head, case .receiving(var body)? = streams[id]?.phase else { return }
        do throws(RequestRefusal) {
            // The stream lets go of its collector, so that appending does not copy what is there.
            streams[id]?.phase = .sending
            defer { streams[id]?.phase = .receiving(body) }
            try body.append(bytes)
            pendingBodyBytes += bytes.count
            guard pendingBodyBytes <= configuration.maximumPendingBodyBytes else { throw .overloaded }
        } catch {
            return refuse(id, error, isWhole: isLast)
        }
        guard isLast else { return }
        do throws(RequestRefusal) {
            try dispatch(id, head, body)
        } catch {
            refuse(id, error, isWhole: true)
        }
    }

    private func dispatch(_ id: Int32, _ head: HTTPRequestHead, _ body: BodyCollector) throws(RequestRefusal) {
        let request = try body.request(head, peerAddress: connection.peerAddress)
        // A peer that gives streams up as fast as it opens them leaves handlers behind: they count too.
        guard runningHandlers < 2 * configuration.maximumConcurrentStreams, part.shared.enter() else {
            throw .overloaded
        }
        runningHandlers += 1
        pendingBodyBytes -= body.bytes.count
        part.shared.metrics.requestStarted()
        let running = RunningRequest(request)
        streams[id]?.phase = .answering(running)
        streams[id]?.deadline = nil
        let plan = streams[id]?.plan ?? handler.plan(for: head)
        running.task = Task(executorPreference: part.loop) { [self] in
            let response = await plan.respond(request)
            guard let stream = response.stream else { return finish(id, running, with: response) }
            await send(id, response, then: stream, answering: running)
        }
    }

    private func finish(_ id: Int32, _ running: RunningRequest, with response: HTTPResponse) {
        part.shared.leave()
        runningHandlers -= 1
        var isWanted = false
        if case .answering(let current)? = streams[id]?.phase { isWanted = current === running && connection.isOpen }
        part.shared.metrics.requestEnded(running.exchange(response, isDelivered: isWanted))
        guard isWanted else { return }
        let answer = ServerAnswers.prepared(
            response, to: running.head, compressedBytes: configuration.compressedAnswerBytes)
        send(id, answer, to: running.head)
    }

    /// Sends an answer that comes piece by piece; each waits until the one before has left.
    private func send(
        _ id: Int32, _ response: HTTPResponse, then stream: HTTPBodyStream, answering running: RunningRequest
    ) async {
        let answer = ServerAnswers.prepared(response, to: running.head, compressedBytes: nil)
        if isAnswering(id, running) {
            var fields = answer.fields
            fields.append("date", part.dates.now())
            do throws(HTTP2Error) {
                try session.submitResponse(
                    stream: id, status: answer.status, fields: fields,
                    body: running.head.method == "HEAD" ? [] : answer.body, isOpen: running.head.method != "HEAD")
            } catch {
                reset(id, .internalError)
            }
            scheduleFlush()
        }
        while running.head.method != "HEAD", let bytes = await stream.next(), isAnswering(id, running) {
            session.appendBody(stream: id, bytes, isLast: false)
            streams[id]?.deadline = part.loop.batchTime.adding(configuration.sendDeadline)
            armSweep()
            scheduleFlush()
            streamsToDrain += 1
            await withCheckedContinuation { streams[id]?.drained = $0 }
            streamsToDrain -= 1
            streams[id]?.deadline = nil
        }
        part.shared.leave()
        runningHandlers -= 1
        let isWanted = isAnswering(id, running)
        part.shared.metrics.requestEnded(running.exchange(answer, isDelivered: isWanted))
        guard isWanted else { return }
        streams[id]?.phase = .sending
        streams[id]?.deadline = part.loop.batchTime.adding(configuration.sendDeadline)
        session.appendBody(stream: id, [], isLast: true)
        armSweep()
        scheduleFlush()
    }

    private func isAnswering(_ id: Int32, _ running: RunningRequest) -> Bool {
        guard connection.isOpen, case .answering(let current)? = streams[id]?.phase else { return false }
        return current === running
    }

    /// Wakes those whose pieces have left.
    func wakeDrainedStreams() {
        guard streamsToDrain > 0 else { return }
        for (id, stream) in streams where stream.drained != nil && session.unsentBytes(ofStream: id) == 0 {
            streams[id]?.drained = nil
            stream.drained?.resume()
        }
    }

    private func send(_ id: Int32, _ response: HTTPResponse, to head: HTTPRequestHead, thenResets: Bool = false) {
        streams[id]?.phase = .sending
        streams[id]?.deadline = part.loop.batchTime.adding(configuration.sendDeadline)
        armSweep()
        var fields = response.fields
        let hasNoBody = head.method == "HEAD" || response.status == 204 || response.status == 304
        if response.status != 204, response.status != 304 {
            fields.append("content-length", String(response.body.count))
        }
        fields.append("date", part.dates.now())
        do throws(HTTP2Error) {
            try session.submitResponse(
                stream: id, status: response.status, fields: fields, body: hasNoBody ? [] : response.body,
                thenResets: thenResets)
        } catch {
            reset(id, .internalError)
        }
        scheduleFlush()
    }

    /// Answers for the server, without a body. The rest of the request is not waited for (RFC 9113 §8.1).
    func refuse(_ id: Int32, _ refusal: RequestRefusal, isWhole: Bool = false) {
        guard let stream = streams[id] else { return }
        part.shared.metrics.requestRefused(status: refusal.status)
        pendingBodyBytes -= stream.pendingBodyBytes
        var answer = ServerAnswers.refusal(status: refusal.status)
        answer.body = []
        send(id, answer, to: stream.head, thenResets: !isWhole)
    }
}
