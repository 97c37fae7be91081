import EventLoop
import MCSWire
import PushModel

/// After the login.
extension MCSServerSession {
    /// Categories of messages that a client's own services exchange with Google's.
    private static let internalCategories: Set = ["com.google.android.gsf.gtalkservice", "com.google.gcm"]

    mutating func streamed(
        _ packet: MCSPacket, at now: MonotonicTime, into output: inout [UInt8]
    ) throws(SessionEnd) -> [SessionEvent] {
        silence?.packetRead(isHeartbeat: packet.isHeartbeat, at: now)
        var events: [SessionEvent] = []
        let acknowledged = takeAcknowledged(by: packet, at: now)
        if !acknowledged.isEmpty {
            incoming.expectEffect()
            events.append(.acknowledged(acknowledged, packet: incoming.count))
        }
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
    private mutating func takeAcknowledged(by packet: MCSPacket, at now: MonotonicTime) -> [DeliveryID] {
        var ids: [DeliveryID] = []
        if let read = packet.lastStreamIDReceived, (1...max(1, outgoing)).contains(read) {
            acknowledges = true
            // A client that has read a packet no longer repeats its version.
            reader.skipsRepeatedVersion = false
            ids = unacknowledged.take(upTo: read)
        }
        if case .iq(let stanza) = packet, case .selectiveAck(let persistentIDs) = stanza.content {
            acknowledges = true
            ids += unacknowledged.take(persistentIDs.compactMap(PersistentID.delivery))
        }
        if acknowledges { return ids }
        return unacknowledged.take(writtenBy: now.adding(.zero - limits.implicitAcknowledgement))
    }

    /// An upstream message is committed.
    ///
    /// - Parameter wantsConfirmation: The client keeps it until it knows.
    mutating func finishedUpstream(_ stanza: DataMessageStanza, packet: Int32, at now: MonotonicTime) {
        finished(packet)
        guard !stanza.persistentID.isEmpty else { return }
        let delay = stanza.immediateAck == true ? .zero : limits.confirmationDelay
        confirmation.owe(packet, by: now.adding(delay))
    }

    mutating func streamingTimePassed(_ now: MonotonicTime, into output: inout [UInt8]) -> SessionEvent? {
        let later = now.adding(limits.confirmationDelay)
        if confirmation.timePassed(now, committed: incoming.done, later: later) {
            write(.iq(.streamAck(lastStreamIDReceived: stamp())), into: &output)
        }
        let pingDeadline = limits.pingDeadline
        switch silence?.timePassed(now, pingDeadline: pingDeadline) {
        case .ping: write(.heartbeatPing(Heartbeat(lastStreamIDReceived: stamp())), into: &output)
        case .dead: return end(.silent, into: &output)
        case .fine, nil: break
        }
        return nil
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
