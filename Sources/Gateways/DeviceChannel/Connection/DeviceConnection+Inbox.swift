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
            translateAndWrite(delivery)
        } else if delivery.isNowOrNever, delivery.id > cursor.position {
            writeOrDrop(delivery)
        }
    }

    /// What is now or never does not wait for its turn.
    private func writeOrDrop(_ delivery: QueuedDelivery) {
        guard let device else { return }
        guard mayWrite else { return part.shared.inboxes.end(delivery, .expired, of: device.androidID) }
        translateAndWrite(delivery)
    }

    private func translateAndWrite(_ delivery: QueuedDelivery) {
        guard let (outgoing, template) = part.translations.translate(delivery, in: part.shared) else { return }
        write(outgoing, template)
    }

    /// Reads on in the inbox when there is something to read and room for it.
    func fillWindow() {
        guard let device, cursor.wantsRead, mayWrite else { return }
        cursor.startReading()
        measures.pagesRead.increment()
        let position = cursor.position
        Task(executorPreference: part.loop) { [self] in
            do throws(StoreError) {
                let page = try await part.shared.inboxes.page(
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
            write(outgoing, part.shared.template(of: outgoing))
            if part.output.count >= ChannelLoop.highWaterBytes { flush() }
        }
        cursor.finishReading(through: page.last, isEnd: page.isEnd)
    }

    private func write(_ outgoing: OutgoingDelivery, _ template: DataMessageTemplate) {
        guard let device else { return }
        let age = part.shared.clock.now().seconds - outgoing.sentAt.seconds
        session.write(
            OutgoingMessage(
                id: outgoing.isNowOrNever ? nil : outgoing.id, persistentID: outgoing.persistentID,
                category: outgoing.category, queuedSeconds: age > 0 ? Int32(clamping: age) : nil,
                template: template), at: now, into: &part.output)
        measures.written.increment()
        if !outgoing.isNowOrNever { unacknowledged.append(outgoing) }
        part.shared.inboxes.written(outgoing, to: device.androidID)
    }
}
