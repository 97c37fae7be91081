import MCSWire
import PushCore
import PushModel
import Telemetry
import Transport

/// What the packets of a device cause. A packet is confirmed after its commit; without one the session ends, and the
/// device sends or acknowledges again on its next connection.
extension DeviceConnection {
    func acknowledge(_ ids: [DeliveryID], packet: Int32) {
        guard let device else { return }
        let deliveries = takeUnacknowledged(ids)
        measures.acknowledged.increment(by: UInt64(deliveries.count))
        part.acknowledgements.add(deliveries, device: device.androidID, packet: packet, on: self)
    }

    /// What a packet caused is durable.
    func committed(_ packet: Int32) {
        let waited = session.isWaiting
        session.finished(packet)
        // Else nothing has waited for it.
        if waited || isDraining { advance() }
    }

    private func takeUnacknowledged(_ ids: [DeliveryID]) -> [OutgoingDelivery] {
        let all = unacknowledged
        guard ids.count < all.count else {
            unacknowledged = []
            return all
        }
        let named = Set(ids)
        unacknowledged = all.filter { !named.contains($0.id) }
        return all.filter { named.contains($0.id) }
    }

    func acknowledge(named names: [String], packet: Int32) {
        commit(packet) { (inboxes, device) throws(StoreError) in
            try await inboxes.acknowledged(named: names, by: device)
        }
    }

    private func commit(
        _ packet: Int32, _ body: @escaping @Sendable (DeviceInboxes, UInt64) async throws(StoreError) -> Void
    ) {
        guard let device else { return }
        part.commit { [self] in
            do throws(StoreError) {
                try await body(part.shared.inboxes, device.androidID)
                committed(packet)
            } catch {
                end(by: .storeFailed)
            }
        }
    }

    /// Takes a message of the device.
    func accept(_ stanza: DataMessageStanza, packet: Int32) {
        guard let device else { return }
        part.commit { [self] in
            // None overtakes one that could not be committed: the device sends them all again.
            guard !hasLostUpstream else { return }
            do throws(StoreError) {
                let answer = try await part.shared.acceptUpstream(IncomingUpstream(stanza), device.androidID)
                measures.upstream(answer.label)
                session.finishedUpstream(stanza, packet: packet, at: now)
                if case .refused(let error) = answer { tell(error, of: stanza) }
                advance()
            } catch {
                hasLostUpstream = true
                measures.upstream("store")
                end(by: .storeFailed)
            }
        }
    }

    /// The app hears why its message went nowhere. Not stored: the device keeps nothing to be told about either.
    ///
    /// Source: FCM, upstream messages, `send_error`; Chromium takes the stanza's persistent id for the message's.
    private func tell(_ error: String, of refused: DataMessageStanza) {
        guard connection.isWritable else { return }
        var stanza = DataMessageStanza()
        stanza.from = String(refused.to.prefix { $0 != "@" })
        stanza.appData = [
            DataMessageStanza.AppData(key: "message_type", value: "send_error"),
            DataMessageStanza.AppData(key: "google.message_id", value: refused.id),
            DataMessageStanza.AppData(key: "error", value: error),
        ]
        stanza.timeToLive = 0
        session.write(
            OutgoingMessage(
                persistentID: refused.id, category: refused.category, template: DataMessageTemplate(stanza)),
            at: now, into: &part.output)
    }
}

extension IncomingUpstream {
    init(_ stanza: DataMessageStanza) {
        self.init(
            category: stanza.category, destination: stanza.to, messageID: stanza.id, queueID: stanza.persistentID,
            data: stanza.appData.map { Message.DataEntry(key: $0.key, value: $0.value) }, rawData: stanza.rawData,
            timeToLiveSeconds: stanza.timeToLive.map(Int64.init), sentSeconds: stanza.sent)
    }
}

extension UpstreamAnswer {
    fileprivate var label: String {
        switch self {
        case .accepted: "accepted"
        case .repeated: "repeated"
        case .expired: "expired"
        case .refused: "refused"
        }
    }
}
