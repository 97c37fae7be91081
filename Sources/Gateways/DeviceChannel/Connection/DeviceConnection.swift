import EventLoop
import PushCore
import PushModel
import Telemetry
import Timekeeping
import Transport

/// One connection of a device: does what its session decides.
///
/// `@unchecked Sendable`: touched on its loop's thread only, but for `DeviceSession`, whose methods hop there; tasks
/// of this connection run on the loop too.
final class DeviceConnection: @unchecked Sendable {
    /// A device that stays connected is seen that often.
    private static let visitInterval = Duration.seconds(12 * 3_600)

    let connection: Connection
    let part: ChannelLoop
    var session: MCSServerSession
    var cursor = InboxCursor()
    /// Known after the login.
    private(set) var device: DeviceCredentials?
    /// What was written and not acknowledged.
    var unacknowledged: [OutgoingDelivery] = []
    private var timer = SessionTimer()
    private var visited: MonotonicTime
    private(set) var isDraining = false
    /// A message of the device could not be committed.
    var hasLostUpstream = false

    var measures: ChannelMeasures { part.shared.measures }
    var now: MonotonicTime { part.loop.batchTime }

    init(_ connection: Connection, part: ChannelLoop) {
        self.connection = connection
        self.part = part
        visited = part.loop.batchTime
        session = MCSServerSession(part.shared.rules, now: part.loop.batchTime)
    }

    /// Acts on everything that the session has read.
    func advance() {
        while let event = session.next(at: now, into: &part.output) { perform(event) }
        settleDown()
    }

    private func perform(_ event: SessionEvent) {
        switch event {
        case .login(let login): logIn(login)
        case .acknowledged(let ids, let packet): acknowledge(ids, packet: packet)
        case .acknowledgedByName(let names, let packet): acknowledge(named: names, packet: packet)
        case .upstream(let stanza, let packet): accept(stanza, packet: packet)
        case .end(let reason): end(reason)
        }
    }

    /// Sends the output, and sees what the connection may do next.
    func settleDown() {
        fillWindow()
        flush()
        guard connection.isOpen, session.phase != .ended else { return }
        if isDraining, session.incoming.uncommitted == 0 { return finishDraining() }
        if isDraining || session.isWaiting || !connection.isWritable {
            connection.pauseReading()
        } else {
            connection.resumeReading()
        }
        armTimer()
    }

    func flush() {
        part.flush { connection.write($0) }
    }

    private func armTimer() {
        let deadline = session.deadline
        guard !timer.fires(by: deadline) else { return }
        timer.arm(for: deadline, on: part.loop) { [unowned self] in timePassed() }
    }

    private func timePassed() {
        if let event = session.timePassed(now, into: &part.output) { perform(event) }
        noteVisit()
        settleDown()
    }

    /// The session has ended: sends what it wrote last, and closes.
    private func end(_ reason: SessionEnd) {
        flush()
        measures.ended(reason.label)
        measures.unknownPackets.increment(by: UInt64(clamping: session.unknownPackets))
        session.unknownPackets = 0
        timer.cancel()
        leave()
        connection.close()
    }

    /// Ends the session from this side.
    func end(by reason: SessionEnd) {
        guard case .end(let reason) = session.end(reason, into: &part.output) else { return }
        end(reason)
    }

    // MARK: Login

    private func logIn(_ login: DeviceLogin) {
        if login.hasForeignName {
            part.shared.logger.debug("A device goes by another one's name.", ["peer": .string(connection.peerAddress)])
        }
        Task(executorPreference: part.loop) { [self] in
            if let fault = await part.shared.loginFaults?(login.credentials.androidID) {
                return fault == .refused ? loggedIn(login, .refused) : end(by: .storeFailed)
            }
            do throws(StoreError) {
                let answer = try await part.shared.inboxes.login(
                    login.credentials, received: login.receivedPersistentIDs)
                loggedIn(login, answer)
            } catch {
                measures.login("store")
                end(by: .storeFailed)
            }
        }
    }

    private func loggedIn(_ login: DeviceLogin, _ answer: DeviceInboxes.LoginAnswer) {
        guard connection.isOpen, session.phase == .authenticating else { return }
        switch answer {
        case .refused:
            measures.login("refused")
            if let event = session.refuse(login, into: &part.output) { perform(event) }
        case .admitted where part.isDraining: end(by: .draining)
        case .admitted(let upstreamIDs):
            measures.login("admitted")
            measures.devices.add(1)
            device = login.credentials
            part.shared.live.enter(self, device: login.credentials.androidID)?.end()
            session.admit(
                login, holding: upstreamIDs, wallClock: part.shared.clock.now(), at: now, into: &part.output)
            advance()
        }
    }

    // MARK: Visits and the end

    /// A device that is connected for weeks has not been away.
    func noteVisit() {
        guard let device, now.since(visited) > Self.visitInterval else { return }
        visited = now
        part.commit { [part] in try? await part.shared.inboxes.noteVisit(of: device) }
    }

    /// Commits and confirms what the device has sent, then closes without a word, so that it comes back.
    func drain() {
        guard session.phase != .ended else { return }
        isDraining = true
        settleDown()
    }

    private func finishDraining() {
        session.confirmRest(into: &part.output)
        _ = session.finish(.draining)
        end(.draining)
    }

    func abort() {
        connection.abort()
    }

    /// The device is not reached over this connection any more. What it did not acknowledge stays in its inbox.
    private func leave() {
        unacknowledged = []
        guard let device else { return }
        self.device = nil
        measures.devices.add(-1)
        // What the device has must not go to APNs as well.
        part.acknowledgements.commit()
        guard part.shared.live.leave(self, device: device.androidID) else { return }
        part.commit { [part] in try? await part.shared.inboxes.disconnected(device) }
    }
}

extension DeviceConnection: ConnectionHandler {
    func opened(_ connection: Connection) {
        part.enter(self)
        if part.isDraining { return end(by: .draining) }
        settleDown()
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        session.receive(bytes, at: now)
        advance()
        noteVisit()
    }

    func becameWritable(_ connection: Connection) {
        settleDown()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        timer.cancel()
        if session.phase != .ended { measures.ended("connection") }
        _ = session.finish(.closedByClient)
        leave()
        part.leave(self)
    }
}

extension DeviceConnection: DeviceSession {
    func ring(_ delivery: QueuedDelivery) {
        part.ring(self, delivery)
    }

    func end() {
        part.loop.execute { [self] in end(by: .superseded) }
    }
}
