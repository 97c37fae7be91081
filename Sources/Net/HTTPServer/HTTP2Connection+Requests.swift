import EventLoop
import HTTP2Wire
import HTTPSemantics
import Transport

extension HTTP2Connection {
    func begin(_ request: HTTP2Request) {
        guard !isCutOff else { return reset(request.stream, .refusedStream) }
        let stream = HTTP2Stream(id: request.stream, head: request.head)
        streams[request.stream] = stream
        do throws(RequestRefusal) {
            if request.head.method == "CONNECT" { throw .tunnelsUnsupported }
            let announced = request.endStream ? 0 : request.head.fields["content-length"].flatMap { Int($0) }
            let limit = handler.bodyLimitBytes(for: request.head)
            let body = try BodyCollector(request.head, limit: limit, announcedBytes: announced)
            if request.endStream { return try dispatch(stream, body) }
            stream.phase = .receiving(body)
            stream.deadline = part.loop.batchTime.adding(configuration.bodyDeadline)
            armSweep()
        } catch {
            refuse(stream, error, isWhole: request.endStream)
        }
    }

    func collect(_ id: Int32, _ bytes: [UInt8], isLast: Bool) {
        guard let stream = streams[id], case .receiving(var body) = stream.phase else { return }
        // The stream lets go of its collector, so that appending does not copy what is there.
        stream.phase = .sending
        pendingBodyBytes -= body.bytes.count
        do throws(RequestRefusal) {
            try body.append(bytes)
            if isLast { return try dispatch(stream, body) }
            guard pendingBodyBytes + body.bytes.count <= configuration.maximumPendingBodyBytes else {
                throw .overloaded
            }
            pendingBodyBytes += body.bytes.count
            stream.phase = .receiving(body)
        } catch {
            refuse(stream, error, isWhole: isLast)
        }
    }

    private func dispatch(_ stream: HTTP2Stream, _ body: BodyCollector) throws(RequestRefusal) {
        let request = try body.request(stream.head, peerAddress: connection.peerAddress)
        // A peer that gives streams up as fast as it opens them leaves handlers behind: they count too.
        guard runningHandlers < 2 * configuration.maximumConcurrentStreams, part.shared.enter() else {
            throw .overloaded
        }
        runningHandlers += 1
        part.shared.metrics.requestStarted()
        let running = RunningRequest(request)
        stream.phase = .answering(running)
        stream.deadline = nil
        let handler = handler
        running.task = Task(executorPreference: part.loop) { [self] in
            let response = await handler.respond(to: request)
            finish(stream, running, with: response)
        }
    }

    private func finish(_ stream: HTTP2Stream, _ running: RunningRequest, with response: HTTPResponse) {
        part.shared.leave()
        runningHandlers -= 1
        let isWanted = stream.isAnswering(running) && connection.isOpen
        part.shared.metrics.requestEnded(running.exchange(response, isDelivered: isWanted))
        guard isWanted else { return }
        send(
            ServerAnswers.prepared(response, to: stream.head, compressedBytes: configuration.compressedAnswerBytes),
            on: stream)
    }

    private func send(_ response: HTTPResponse, on stream: HTTP2Stream, thenResets: Bool = false) {
        stream.phase = .sending
        stream.deadline = part.loop.batchTime.adding(configuration.sendDeadline)
        armSweep()
        var fields = response.fields
        let hasNoBody = stream.head.method == "HEAD" || response.status == 204 || response.status == 304
        if response.status != 204, response.status != 304 {
            fields.append("content-length", String(response.body.count))
        }
        fields.append("date", part.dates.now())
        do throws(HTTP2Error) {
            try session.submitResponse(
                stream: stream.id, status: response.status, fields: fields, body: hasNoBody ? [] : response.body,
                thenResets: thenResets)
        } catch {
            reset(stream.id, .internalError)
        }
        scheduleFlush()
    }

    /// Answers for the server, without a body. The rest of the request is not waited for (RFC 9113 §8.1).
    func refuse(_ stream: HTTP2Stream, _ refusal: RequestRefusal, isWhole: Bool = false) {
        part.shared.metrics.requestRefused(status: refusal.status)
        pendingBodyBytes -= stream.pendingBodyBytes
        var answer = ServerAnswers.refusal(status: refusal.status)
        answer.body = []
        send(answer, on: stream, thenResets: !isWhole)
    }
}
