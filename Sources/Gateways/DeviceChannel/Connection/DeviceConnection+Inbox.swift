import MCSWire
import PushCore
import PushModel
import Telemetry
import Timekeeping
import Transport

/// From the inbox to the device.
extension DeviceConnection {
    /// Entries of an inbox that are read at a time.
    private static let pageEntries = 50

    private var mayWrite: Bool { !isDraining && session.isWindowOpen && connection.isWritable }

    /// A delivery was stored in the device's inbox.
    func rung(_ delivery: QueuedDelivery) {
        guard session.phase == .streaming else { return }
        let isNext = cursor.ring(delivery.id, after: delivery.inbox?.previous)
        if isNext, mayWrite {
            cursor.passed(delivery.id)
            write(services.inboxes.outgoing(delivery))
        } else if delivery.isNowOrNever, delivery.id > cursor.position {
            writeOrDrop(delivery)
        }
    }

    /// What is now or never does not wait for its turn.
    private func writeOrDrop(_ delivery: QueuedDelivery) {
        guard let device else { return }
        guard mayWrite else { return services.inboxes.end(delivery, .expired, of: device.androidID) }
        write(services.inboxes.outgoing(delivery))
    }

    /// Reads on in the inbox when there is something to read and room for it.
    func fillWindow() {
        guard let device, cursor.wantsRead, mayWrite else { return }
        cursor.startReading()
        measures.pagesRead.increment()
        let position = cursor.position
        Task(executorPreference: part.loop) { [self] in
            do throws(StoreError) {
                let page = try await services.inboxes.page(
                    of: device.androidID, after: position, limit: Self.pageEntries)
                write(page)
                settleDown()
            } catch {
                end(by: .storeFailed)
            }
        }
    }

    private func write(_ page: InboxPage) {
        for outgoing in page.outgoing where outgoing.id > cursor.position {
            guard mayWrite else { return cursor.finishReading(through: nil, isEnd: false) }
            cursor.passed(outgoing.id)
            write(outgoing)
            if part.output.count >= ChannelLoop.highWaterBytes { flush() }
        }
        cursor.finishReading(through: page.last, isEnd: page.isEnd)
    }

    private func write(_ outgoing: OutgoingDelivery?) {
        guard let outgoing, let device else { return }
        let message = outgoing.message
        let age = services.clock.now().seconds - message.sentAt.seconds
        session.write(
            OutgoingMessage(
                id: outgoing.isNowOrNever ? nil : outgoing.id, persistentID: message.persistentID,
                category: message.category, queuedSeconds: age > 0 ? Int32(clamping: age) : nil,
                template: DataMessageTemplate(message.stanza)), at: now, into: &part.output)
        measures.written.increment()
        if !outgoing.isNowOrNever { unacknowledged[outgoing.id] = outgoing }
        services.inboxes.written(outgoing, to: device.androidID)
    }
}

extension DeviceMessage {
    /// What all devices of a message share.
    fileprivate var stanza: DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.from = from
        stanza.token = collapseKey ?? ""
        stanza.appData = data.map { DataMessageStanza.AppData(key: $0.key, value: $0.value) }
        stanza.timeToLive = Int32(clamping: timeToLiveSeconds)
        stanza.sent = sentAt.milliseconds
        stanza.rawData = rawData
        return stanza
    }
}
