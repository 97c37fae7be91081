import EventLoop
import PushCore
import PushModel

/// What devices of a loop acknowledged within a moment. Committed together: a commit for each costs more than its
/// message. Nobody waits for it; what a crash takes is sent again, under the same ids.
///
/// Touched on the loop's thread only.
final class AcknowledgementBatch {
    private static let patience = Duration.milliseconds(5)
    private static let maximumPackets = 512

    private struct Entry {
        let connection: DeviceConnection
        let packet: Int32
    }

    private unowned let part: ChannelLoop
    private var entries: [Entry] = []
    private var acknowledgements: [Acknowledgement] = []
    private var timer: ScheduledTimer?

    init(part: ChannelLoop) {
        self.part = part
    }

    func add(_ deliveries: [OutgoingDelivery], device: UInt64, packet: Int32, on connection: DeviceConnection) {
        if entries.isEmpty {
            part.commitBegins()
            timer = part.loop.schedule(after: Self.patience) { [self] in commit() }
        }
        entries.append(Entry(connection: connection, packet: packet))
        acknowledgements.append(Acknowledgement(device: device, deliveries: deliveries))
        if entries.count >= Self.maximumPackets { commit() }
    }

    /// Commits what is gathered. Before a connection's other commits, which must find it done.
    func commit() {
        guard !entries.isEmpty else { return }
        timer?.cancel()
        timer = nil
        let (part, entries, acknowledgements) = (part, entries, acknowledgements)
        self.entries = []
        self.acknowledgements = []
        Task(executorPreference: part.loop) {
            do throws(StoreError) {
                try await part.shared.inboxes.acknowledged(acknowledgements)
                for entry in entries { entry.connection.committed(entry.packet) }
            } catch {
                for entry in entries { entry.connection.end(by: .storeFailed) }
            }
            part.commitEnded()
        }
    }
}
