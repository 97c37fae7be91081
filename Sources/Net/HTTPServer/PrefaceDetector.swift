import EventLoop
import HTTP2Wire
import Transport

/// The start of a plain connection: waits for enough bytes to tell HTTP/2 from HTTP/1.
final class PrefaceDetector: ConnectionHandler {
    private let part: ServerLoop
    private var received: [UInt8] = []
    private var timer: ScheduledTimer?

    init(part: ServerLoop) {
        self.part = part
    }

    func opened(_ connection: Connection) {
        timer = part.loop.schedule(after: part.shared.configuration.headerDeadline) { [weak connection] in
            connection?.close()
        }
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        guard received.isEmpty else {
            received += bytes
            let all = received
            return all.withUnsafeBytes { decide($0, connection) }
        }
        decide(bytes, connection)
    }

    private func decide(_ bytes: UnsafeRawBufferPointer, _ connection: Connection) {
        switch HTTP2Preface.match(bytes) {
        case .needsMoreBytes: if received.isEmpty { received = Array(bytes) }
        case .matches: hand(connection, over: HTTP2Connection(connection, part: part), bytes)
        case .differs: hand(connection, over: HTTP1Connection(connection, part: part), bytes)
        }
    }

    private func hand(
        _ connection: Connection, over handler: any ConnectionHandler, _ bytes: UnsafeRawBufferPointer
    ) {
        timer?.cancel()
        connection.handler = handler
        handler.opened(connection)
        handler.received(bytes, on: connection)
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        timer?.cancel()
    }
}
