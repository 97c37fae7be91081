import EventLoop
import HTTP1Wire
import HTTPSemantics
import Transport

/// One HTTP/1 connection of a server.
///
/// Requests are answered one after the other: a pipelined request waits, unparsed, until the one before is answered,
/// so that answers keep their order and writes their sequence.
///
/// `@unchecked Sendable`: touched on its loop's thread only; the handler's task runs there too.
final class HTTP1Connection: @unchecked Sendable {
    private struct Incoming {
        let start: HTTP1RequestStart
        let plan: HTTPPlan
        var body: BodyCollector
    }

    private let connection: Connection
    private let part: ServerLoop
    private let handler: any HTTPHandler
    private var parser: HTTP1RequestParser
    private var deadline: LazyDeadline?
    private var incoming: Incoming?
    private var answering: RunningRequest?
    /// An answer that comes piece by piece waits until the connection takes more.
    private var writableWaiter: CheckedContinuation<Void, Never>?
    /// Part of a header section is here; its deadline runs from the first byte on, however many follow.
    private var isReadingHead = false
    private var hasInputEnded = false
    private var isEnding = false

    private var configuration: HTTPServerConfiguration { part.shared.configuration }

    init(_ connection: Connection, part: ServerLoop) {
        self.connection = connection
        self.part = part
        handler = part.shared.makeHandler(connection)
        parser = HTTP1RequestParser(limits: part.shared.configuration.http1)
    }

    /// Takes requests out of the parser until one is being answered or bytes are missing.
    private func advance() {
        while answering == nil, !isEnding {
            switch parser.nextEvent() {
            case .head(let start): begin(start)
            case .body(let bytes): collect(bytes)
            case .end: dispatch()
            case .failed(let error): refuse(status: error.status)
            case nil: return waitForBytes()
            }
        }
    }

    private func waitForBytes() {
        if hasInputEnded { return endOfRequests() }
        if part.isDraining, parser.isBetweenRequests { return end() }
        if incoming != nil { return }
        if parser.isBetweenRequests {
            isReadingHead = false
            deadline?.set(after: configuration.keepAliveLimit)
        } else if !isReadingHead {
            isReadingHead = true
            deadline?.set(after: configuration.headerDeadline)
        }
    }

    /// The client sends no more. What it left unfinished is answered with an error and reaches no handler.
    private func endOfRequests() {
        if incoming != nil || !parser.isBetweenRequests { return refuse(.truncated) }
        end()
    }

    private func begin(_ start: HTTP1RequestStart) {
        isReadingHead = false
        var announced: Int?
        if case .length(let count) = start.body { announced = count }
        do throws(RequestRefusal) {
            if start.head.method == "CONNECT" { throw .tunnelsUnsupported }
            let plan = handler.plan(for: start.head)
            let body = try BodyCollector(start.head, limit: plan.bodyLimitBytes, announcedBytes: announced)
            incoming = Incoming(start: start, plan: plan, body: body)
        } catch {
            return refuse(error)
        }
        guard start.body != .none else { return }
        deadline?.set(after: configuration.bodyDeadline)
        if start.expectsContinue, parser.unreadBytes == 0 { sendContinue() }
    }

    private func sendContinue() {
        var output: [UInt8] = []
        HTTP1Serializer.writeContinue(into: &output)
        connection.write(output)
    }

    private func collect(_ bytes: [UInt8]) {
        do throws(RequestRefusal) {
            try incoming?.body.append(bytes)
        } catch {
            refuse(error)
        }
    }

    private func dispatch() {
        guard let whole = incoming else { return }
        incoming = nil
        deadline?.clear()
        let request: HTTPRequest
        do throws(RequestRefusal) {
            request = try whole.body.request(whole.start.head, peerAddress: connection.peerAddress)
            guard part.shared.enter() else { throw .overloaded }
        } catch {
            return refuse(error)
        }
        part.shared.metrics.requestStarted()
        let running = RunningRequest(request, keepsAlive: whole.start.keepsAlive)
        answering = running
        let plan = whole.plan
        running.task = Task(executorPreference: part.loop) { [self] in
            let response = await plan.respond(request)
            guard let stream = response.stream else { return finish(running, with: response) }
            await send(response, then: stream, answering: running)
        }
    }

    private func finish(_ running: RunningRequest, with response: HTTPResponse) {
        part.shared.leave()
        let isWanted = answering === running && connection.isOpen
        part.shared.metrics.requestEnded(running.exchange(response, isDelivered: isWanted))
        guard isWanted else { return }
        answering = nil
        let answer = ServerAnswers.prepared(
            response, to: running.head, compressedBytes: configuration.compressedAnswerBytes)
        let keepsAlive = running.keepsAlive && !part.isDraining && !(hasInputEnded && parser.isBetweenRequests)
        send(answer, to: running.head, keepsAlive: keepsAlive)
        guard keepsAlive else { return end() }
        if parser.unreadBytes <= configuration.maximumReadAheadBytes { connection.resumeReading() }
        advance()
    }

    // MARK: Answers that come piece by piece

    private func send(_ response: HTTPResponse, then stream: HTTPBodyStream, answering running: RunningRequest) async {
        let answer = ServerAnswers.prepared(response, to: running.head, compressedBytes: nil)
        let isChunked = running.head.version != .http10
        let keepsAlive = running.keepsAlive && isChunked && !part.isDraining
        if isWanted(running) {
            var fields = answer.fields
            fields.append("date", part.dates.now())
            if isChunked { fields.append("transfer-encoding", "chunked") }
            if !keepsAlive { fields.append("connection", "close") }
            var output: [UInt8] = []
            HTTP1Serializer.writeHead(status: answer.status, fields: fields, into: &output)
            if running.head.method != "HEAD" { write(answer.body, isChunked: isChunked, into: &output) }
            connection.write(output)
        }
        var piece: [UInt8]? = running.head.method == "HEAD" ? nil : await stream.next()
        while let bytes = piece, isWanted(running) {
            var output: [UInt8] = []
            write(bytes, isChunked: isChunked, into: &output)
            connection.write(output)
            await untilWritable()
            piece = await stream.next()
        }
        endStream(of: running, answer, isChunked: isChunked, keepsAlive: keepsAlive)
    }

    private func isWanted(_ running: RunningRequest) -> Bool { answering === running && connection.isOpen }

    private func write(_ bytes: [UInt8], isChunked: Bool, into output: inout [UInt8]) {
        if isChunked { HTTP1Serializer.writeChunk(bytes, into: &output) } else { output += bytes }
    }

    private func untilWritable() async {
        guard connection.isOpen, !connection.isWritable else { return }
        await withCheckedContinuation { writableWaiter = $0 }
    }

    private func endStream(of running: RunningRequest, _ answer: HTTPResponse, isChunked: Bool, keepsAlive: Bool) {
        part.shared.leave()
        let isWanted = isWanted(running)
        part.shared.metrics.requestEnded(running.exchange(answer, isDelivered: isWanted))
        guard isWanted else { return }
        answering = nil
        if isChunked, running.head.method != "HEAD" {
            var output: [UInt8] = []
            HTTP1Serializer.writeLastChunk(into: &output)
            connection.write(output)
        }
        guard keepsAlive, !part.isDraining else { return end() }
        if parser.unreadBytes <= configuration.maximumReadAheadBytes { connection.resumeReading() }
        advance()
    }

    private func wakeWriter() {
        guard let waiter = writableWaiter else { return }
        writableWaiter = nil
        waiter.resume()
    }

    private func send(_ response: HTTPResponse, to head: HTTPRequestHead, keepsAlive: Bool) {
        part.output.removeAll(keepingCapacity: true)
        let date = part.dates.now()
        HTTP1Serializer.write(response, to: head, keepsAlive: keepsAlive, date: date, into: &part.output)
        connection.write(part.output)
        if part.output.capacity > 1_048_576 { part.output = [] }
    }

    /// Answers for the server and ends: what the client still sends of this request is dropped.
    private func refuse(status: Int) {
        guard !isEnding else { return }
        part.shared.metrics.requestRefused(status: status)
        let head = incoming?.start.head ?? HTTPRequestHead(method: "GET", target: "/")
        send(ServerAnswers.refusal(status: status), to: head, keepsAlive: false)
        end()
    }

    private func refuse(_ refusal: RequestRefusal) {
        refuse(status: refusal.status)
    }

    private func end() {
        isEnding = true
        incoming = nil
        deadline?.end()
        connection.close()
    }

    private func deadlinePassed() {
        guard answering == nil else { return }
        incoming == nil && parser.isBetweenRequests ? end() : refuse(.timedOut)
    }
}

extension HTTP1Connection: ConnectionHandler {
    func opened(_ connection: Connection) {
        let deadline = LazyDeadline(loop: part.loop) { [unowned self] in deadlinePassed() }
        // A connection that was accepted while the server ends is served if its request is on the way already.
        deadline.set(
            after: part.isDraining ? min(.seconds(1), configuration.headerDeadline) : configuration.headerDeadline)
        self.deadline = deadline
        part.enter(self)
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        guard !isEnding else { return }
        parser.receive(bytes)
        if answering == nil { return advance() }
        if parser.unreadBytes > configuration.maximumReadAheadBytes { connection.pauseReading() }
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        hasInputEnded = true
        if answering == nil { advance() }
    }

    func becameWritable(_ connection: Connection) {
        wakeWriter()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        defer { wakeWriter() }
        isEnding = true
        incoming = nil
        deadline?.end()
        answering?.task?.cancel()
        answering = nil
        part.leave(self)
    }
}

extension HTTP1Connection: DrainableConnection {
    func drain() {
        if answering == nil, incoming == nil, parser.isBetweenRequests { end() }
    }

    func abort() {
        connection.abort()
    }
}
