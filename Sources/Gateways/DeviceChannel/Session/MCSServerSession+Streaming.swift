import EventLoop
import MCSWire
import PushCore
import PushModel

/// After the login.
extension MCSServerSession {
    /// Categories of messages that a client's own services exchange with Google's.
    private static let internalCategories: Set = ["com.google.android.gsf.gtalkservice", "com.google.gcm"]

    mutating func streamed(
        _ packet: MCSPacket, at now: MonotonicTime, into output: inout [UInt8]
    ) throws(SessionEnd) -> [SessionEvent] {
        if packet.isHeartbeat { silence?.heartbeatRead() }
        var events = acknowledgements(by: packet, at: now)
        switch packet {
        case .heartbeatPing(let ping):
            write(.heartbeatAck(Heartbeat(lastStreamIDReceived: stamp(), status: ping.status)), into: &output)
        case .dataMessage(let stanza) where !Self.internalCategories.contains(stanza.category):
            incoming.expectEffect()
            events.append(.upstream(stanza, packet: incoming.count))
        case .close: events.append(finish(.closedByClient))
        case .loginRequest: throw .secondLogin
        case .unknown: unknownPackets += 1
        case .dataMessage, .heartbeatAck, .iq, .loginResponse, .streamError: break
        }
        return events
    }

    /// The messages that the packet shows to have arrived.
    private mutating func acknowledgements(by packet: MCSPacket, at now: MonotonicTime) -> [SessionEvent] {
        var ids: [DeliveryID] = []
        var strangers: [String] = []
        if let read = packet.lastStreamIDReceived, (1...max(1, outgoing)).contains(read) {
            acknowledges = true
            // A client that has read a packet no longer repeats its version.
            reader.skipsRepeatedVersion = false
            ids = unacknowledged.take(upTo: read)
        }
        if case .iq(let stanza) = packet, case .selectiveAck(let names) = stanza.content {
            acknowledges = true
            let (found, others) = takeNamed(names)
            ids += found
            strangers = others
        }
        if !acknowledges { ids = unacknowledged.take(writtenBy: now.adding(.zero - limits.implicitAcknowledgement)) }
        var events: [SessionEvent] = []
        if !ids.isEmpty {
            incoming.expectEffect()
            events.append(.acknowledged(ids, packet: incoming.count))
        }
        if !strangers.isEmpty {
            incoming.expectEffect()
            events.append(.acknowledgedByName(strangers, packet: incoming.count))
        }
        return events
    }

    /// - Returns: What was written on this connection, and a bounded number of names of other messages: an
    ///   acknowledgement may come on a later connection.
    private mutating func takeNamed(_ names: [String]) -> (found: [DeliveryID], others: [String]) {
        let named = names.map { (name: $0, id: PersistentID.delivery($0)) }
        let found = unacknowledged.take(Set(named.compactMap(\.id)))
        let others = named.lazy.filter { $0.id.map { !found.contains($0) } ?? false }.map(\.name)
        return (found, Array(others.prefix(limits.unacknowledgedMessages)))
    }

    /// An upstream message is committed.
    ///
    /// - Parameter wantsConfirmation: The client keeps it until it knows.
    mutating func finishedUpstream(_ stanza: DataMessageStanza, packet: Int32, at now: MonotonicTime) {
        finished(packet)
        guard !stanza.persistentID.isEmpty else { return }
        let isEnough = confirmation.untold(of: incoming.done) >= limits.unconfirmedPackets
        let delay = stanza.immediateAck == true || isEnough ? .zero : limits.confirmationDelay
        confirmation.owe(packet, by: now.adding(delay))
    }

    mutating func streamingTimePassed(_ now: MonotonicTime, into output: inout [UInt8]) -> SessionEvent? {
        let later = now.adding(limits.confirmationDelay)
        if confirmation.timePassed(now, committed: incoming.done, later: later) {
            write(.iq(.streamAck(lastStreamIDReceived: stamp())), into: &output)
        }
        // While nothing is read, nothing can be heard.
        if isWaiting { silence?.heard(at: now) }
        let pingDeadline = limits.pingDeadline
        switch silence?.timePassed(now, pingDeadline: pingDeadline) {
        case .ping: write(.heartbeatPing(Heartbeat(lastStreamIDReceived: stamp())), into: &output)
        case .dead: return end(.silent, into: &output)
        case .fine, nil: break
        }
        return nil
    }

    /// Confirms what is committed and was not confirmed yet: the connection is about to end.
    mutating func confirmRest(into output: inout [UInt8]) {
        guard phase == .streaming, confirmation.due != nil else { return }
        write(.iq(.streamAck(lastStreamIDReceived: stamp())), into: &output)
    }

    /// Writes one message. Look at `isWindowOpen` before.
    mutating func write(_ message: OutgoingMessage, at now: MonotonicTime, into output: inout [UInt8]) {
        guard phase == .streaming else { return }
        message.template.append(
            category: message.category, persistentID: message.persistentID, lastStreamIDReceived: stamp(),
            queued: message.queuedSeconds, to: &output)
        countWritten()
        if let id = message.id { unacknowledged.append(id, streamID: outgoing, at: now) }
    }

    mutating func write(_ packet: MCSPacket, into output: inout [UInt8]) {
        if outgoing == 0 { output.append(version) }
        packet.append(to: &output)
        countWritten()
    }

    private mutating func countWritten() {
        if outgoing < .max { outgoing += 1 }
    }

    /// What a packet that is being written says about the client's packets.
    mutating func stamp() -> Int32 {
        confirmation.confirmed(upTo: incoming.done)
        return incoming.done
    }
}

extension MCSPacket {
    fileprivate var isHeartbeat: Bool {
        switch self {
        case .heartbeatPing, .heartbeatAck: true
        default: false
        }
    }
}
