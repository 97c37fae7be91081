import MCSWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The rules of one connection of the direct channel: bytes and times in, actions out. Decides; `DirectChannel` acts.
///
/// Knows no socket, no clock and no storage. Actions are carried out in their order.
struct DirectChannelSession: Sendable {
    /// The first byte in both directions.
    static let version: UInt8 = 40
    static let maximumPayloadBytes = 1 << 20
    /// After so long without a packet the server is asked for one.
    static let quietSeconds = 30.0
    /// So long the server has to answer.
    static let answerSeconds = 20.0
    /// So many packets may come before the server is told.
    static let maximumUnreported = 10

    enum Action: Sendable, Equatable {
        case write([UInt8])
        case signedIn
        case message(DataMessageStanza)
        /// The server knows that these messages came.
        case confirmed([String])
        /// The server has these messages of ours.
        case accepted([String])
        /// The connection is of no more use.
        case end(Ending)
    }

    enum Ending: Sendable, Equatable {
        case closedByServer
        case silence
        case wrongVersion(UInt8)
        case unreadable
        case refused(code: Int32, message: String)
    }

    private enum Phase { case opening, signingIn, signedIn, ended }

    private let login: LoginRequest
    private var phase = Phase.opening
    private var reader = MCSFrameReader(maximumPayloadBytes: maximumPayloadBytes)
    private var ledger = PacketLedger()
    private var pingTime: Date?
    private var answerTime: Date?

    init(login: LoginRequest) {
        self.login = login
    }

    var isSignedIn: Bool { phase == .signedIn }

    /// When `timePassed` is to be called; `nil` when nothing waits.
    var nextDeadline: Date? { phase == .signedIn ? answerTime ?? pingTime : nil }
}

// MARK: - Events

extension DirectChannelSession {
    /// The connection carries bytes now.
    mutating func opened() -> [Action] {
        guard phase == .opening else { return [] }
        phase = .signingIn
        ledger.countLogin(naming: login.receivedPersistentIDs)
        return [.write([Self.version] + MCSPacket.loginRequest(login).frame)]
    }

    mutating func receive(_ bytes: [UInt8], at now: Date) -> [Action] {
        guard phase == .signingIn || phase == .signedIn else { return [] }
        var actions: [Action] = []
        reader.receive(bytes)
        do {
            while phase != .ended, let element = try reader.next() {
                switch element {
                case .version(let version):
                    if version != Self.version { actions += end(.wrongVersion(version)) }
                case .packet(let packet): actions += receive(packet, at: now)
                }
            }
        } catch {
            actions += end(.unreadable)
        }
        return actions
    }

    /// Writes a message of the app. Nothing happens unless signed in.
    mutating func send(_ stanza: DataMessageStanza) -> [Action] {
        guard phase == .signedIn else { return [] }
        var stanza = stanza
        stanza.lastStreamIDReceived = ledger.stampNext()
        if !stanza.persistentID.isEmpty { ledger.noteSent(stanza.persistentID) }
        return [.write(MCSPacket.dataMessage(stanza).frame)]
    }

    mutating func timePassed(at now: Date) -> [Action] {
        guard phase == .signedIn else { return [] }
        if let answerTime { return now >= answerTime ? end(.silence) : [] }
        return pingTime.map { now >= $0 } == true ? [ping(at: now)] : []
    }

    /// Says goodbye. The connection is of no more use after that.
    mutating func close() -> [Action] {
        defer { phase = .ended }
        return phase == .signedIn ? [.write(MCSPacket.close.frame)] : []
    }
}

// MARK: - Packets

extension DirectChannelSession {
    private mutating func receive(_ packet: MCSPacket, at now: Date) -> [Action] {
        ledger.countRead()
        guard phase == .signedIn else { return receiveBeforeLogin(packet, at: now) }
        answerTime = nil
        pingTime = now.addingTimeInterval(Self.quietSeconds)
        return settle(packet) + receiveSignedIn(packet)
    }

    /// What a packet says beside its content: how many of ours the server has read.
    private mutating func settle(_ packet: MCSPacket) -> [Action] {
        guard let number = packet.lastStreamIDReceived else { return [] }
        let settled = ledger.settle(through: number)
        var actions: [Action] = []
        if !settled.arrived.isEmpty { actions.append(.confirmed(settled.arrived)) }
        if !settled.sent.isEmpty { actions.append(.accepted(settled.sent)) }
        return actions
    }

    /// Before the login is answered, nothing else is listened to.
    private mutating func receiveBeforeLogin(_ packet: MCSPacket, at now: Date) -> [Action] {
        switch packet {
        case .loginResponse(let response):
            if let error = response.error { return end(.refused(code: error.code, message: error.message)) }
            phase = .signedIn
            return settle(packet) + [.signedIn, ping(at: now)]
        case .close: return end(.closedByServer)
        default: return []
        }
    }

    private mutating func receiveSignedIn(_ packet: MCSPacket) -> [Action] {
        var actions: [Action] = []
        var answersNow = false
        switch packet {
        case .heartbeatPing(let heartbeat):
            let answer = Heartbeat(lastStreamIDReceived: ledger.stampNext(), status: heartbeat.status)
            actions.append(.write(MCSPacket.heartbeatAck(answer).frame))
        case .dataMessage(let stanza):
            if !stanza.persistentID.isEmpty { ledger.noteArrival(of: stanza.persistentID) }
            actions.append(.message(stanza))
            answersNow = stanza.immediateAck == true
        case .iq(let stanza):
            if case .selectiveAck(let ids) = stanza.content, !ids.isEmpty {
                ledger.settle(ids)
                actions.append(.accepted(ids))
            }
        case .close: return end(.closedByServer)
        case .heartbeatAck, .loginRequest, .loginResponse, .streamError, .unknown: break
        }
        if answersNow || ledger.unreported >= Self.maximumUnreported, let number = ledger.stampNext() {
            actions.append(.write(MCSPacket.iq(.streamAck(lastStreamIDReceived: number)).frame))
        }
        return actions
    }

    private mutating func ping(at now: Date) -> Action {
        answerTime = now.addingTimeInterval(Self.answerSeconds)
        return .write(MCSPacket.heartbeatPing(Heartbeat(lastStreamIDReceived: ledger.stampNext())).frame)
    }

    private mutating func end(_ ending: Ending) -> [Action] {
        phase = .ended
        return [.end(ending)]
    }
}
