import EventLoop
import LegacyAPI
import PushCore
import PushModel
import Telemetry
import Transport
import XMPPWire

/// One connection of an app server: carries out what the session decides.
///
/// `@unchecked Sendable`: touched on its loop's thread only, but for `deliver`, which hands over to the loop.
final class CCSConnection: @unchecked Sendable {
    private let connection: Connection
    private let part: CCSLoop
    private let reader = XMPPStreamReader()
    private var session: CCSSession
    private var writer = XMLWriter()
    private var watch: SilenceWatch?
    private var drainTimer: ScheduledTimer?
    /// The project of the app server, once its resource is bound.
    private(set) var project: ProjectNumber?
    private var isClosing = false

    private var shared: CCSShared { part.shared }

    init(_ connection: Connection, part: CCSLoop) {
        self.connection = connection
        self.part = part
        session = CCSSession(services: part.shared.sessionServices)
    }

    // MARK: Reading

    /// Gives the session what has arrived, as long as it can do something with it and the app server takes answers.
    private func advance() {
        while !isClosing, !session.isBusy, connection.isWritable, let event = reader.nextEvent() {
            perform(session.receive(event))
        }
        flush()
        guard !isClosing else { return }
        let isWilling = !session.isBusy && connection.isWritable
        isWilling ? connection.resumeReading() : connection.pauseReading()
    }

    private func perform(_ actions: [CCSAction]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: CCSAction) {
        switch action {
        case .open(let header): writer.write(header)
        case .send(let element): writer.write(element)
        case .restart: reader.restart()
        case .bound(let project): bound(project)
        case .submit(let downstream, let slot, let project): submit(downstream, slot, project)
        case .acknowledge(let messageID, let sender, let project):
            let counts = shared.services.upstream.acknowledge(messageID, from: sender, by: self, of: project)
            (counts ? shared.measures.acknowledged : shared.measures.lateAcknowledgements).increment()
        case .stopDelivering(let project): shared.services.upstream.stopDelivering(to: self, of: project)
        case .end: end()
        }
    }

    private func bound(_ project: Project) {
        self.project = project.number
        watch?.heard()
        shared.measures.sessions.add(1)
        shared.services.upstream.connect(self, of: project.number)
    }

    private func submit(_ downstream: CCSDownstream, _ slot: Int, _ project: Project) {
        let sender = shared.services.sender
        part.run { [self] in
            let outcome = await sender.send(downstream.message, in: project)
            answer(downstream, slot, outcome)
        }
    }

    private func answer(_ downstream: CCSDownstream, _ slot: Int, _ outcome: SingleMessageSender.Outcome) {
        if case .failed = outcome { shared.measures.downstream(false) } else { shared.measures.downstream(true) }
        guard !isClosing else { return }
        perform(session.answer(slot: slot, with: CCSReply.reply(to: downstream, outcome)))
        advance()
    }

    // MARK: Writing

    /// Sends what was written since the last call.
    func flush() {
        guard !writer.bytes.isEmpty else { return }
        connection.write(writer.bytes)
        writer = XMLWriter()
    }

    /// Whoever sees the stream end may rely on its acknowledgements: none of these messages comes again, even if this
    /// process is killed.
    private func end() {
        watch?.end()
        flush()
        guard let project else { return close() }
        let upstream = shared.services.upstream
        part.run { [self] in
            await upstream.drain(project)
            close()
        }
    }

    private func close() {
        guard !isClosing else { return }
        writer.writeStreamEnd()
        flush()
        isClosing = true
        connection.close()
    }

    // MARK: Ends

    /// Tells the app server to go, and closes the connection after that time if it does not.
    func drain(patience: Duration) {
        perform(session.drain())
        flush()
        guard !isClosing else { return }
        drainTimer?.cancel()
        drainTimer = part.loop.schedule(after: patience) { [weak self] in self?.finishDraining() }
    }

    private func finishDraining() {
        perform(session.end(with: nil))
        flush()
    }

    /// Ends the stream at once, whatever is owed.
    func end(with error: XMPPStreamError) {
        guard !isClosing else { return }
        perform(session.abandon(with: error))
        flush()
    }

    func abort() {
        connection.abort()
    }

    private func checkSilence(_ verdict: SilenceWatch.Verdict) {
        // While the app server is not read, nothing can be heard of it.
        guard !session.isBusy else {
            watch?.heard()
            return
        }
        switch verdict {
        case .silent: perform(session.ping())
        case .dead:
            end(with: XMPPStreamError(.connectionTimeout))
        }
        flush()
    }
}

extension CCSConnection: AppServerSession {
    func deliver(_ message: UpstreamMessage) {
        part.ring(self, message)
    }

    /// Writes an upstream message. An app server that does not read gets it later: it is not acknowledged.
    func take(_ message: UpstreamMessage) {
        guard !isClosing, !session.hasEnded, connection.bufferedBytes < shared.configuration.unreadBytes else { return }
        writer.write(GCMElement.message(message))
        shared.measures.upstream.increment()
    }
}

extension CCSConnection: ConnectionHandler {
    func opened(_ connection: Connection) {
        let configuration = shared.configuration
        watch = SilenceWatch(
            loop: part.loop, loginDeadline: configuration.loginDeadline, silenceLimit: configuration.silenceLimit,
            answerLimit: configuration.answerLimit
        ) { [unowned self] in
            checkSilence($0)
        }
        part.enter(self)
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        guard !isClosing else { return }
        if session.isBound { watch?.heard() }
        reader.receive(bytes)
        advance()
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        guard !isClosing else { return }
        perform(session.end(with: nil))
        flush()
    }

    func becameWritable(_ connection: Connection) {
        advance()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        isClosing = true
        watch?.end()
        drainTimer?.cancel()
        if let project {
            shared.services.upstream.disconnect(self, of: project)
            shared.senders.leave(project)
            shared.measures.sessions.add(-1)
        }
        part.leave(self)
    }
}
