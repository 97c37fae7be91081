import EventLoop
import HTTPSemantics
import Transport

/// A connection that can be asked to end.
protocol DrainableConnection: AnyObject {
    func drain()
    func abort()
}

/// The part of a server that lives on one loop: its connections and what they share.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class ServerLoop: @unchecked Sendable {
    let loop: EventLoop
    let shared: ServerShared
    var dates = DateText()
    /// Scratch for answers; used up within one call.
    var output: [UInt8] = []
    private(set) var isDraining = false
    private var connections: [ObjectIdentifier: any DrainableConnection] = [:]
    private var onEmpty: (() -> Void)?

    init(loop: EventLoop, shared: ServerShared) {
        self.loop = loop
        self.shared = shared
    }

    func handler(for connection: Connection) -> any ConnectionHandler {
        switch connection.security?.applicationProtocol {
        case "h2": HTTP2Connection(connection, part: self)
        case .some: HTTP1Connection(connection, part: self)
        case nil: connection.security == nil ? PrefaceDetector(part: self) : HTTP1Connection(connection, part: self)
        }
    }

    func enter(_ connection: any DrainableConnection) {
        connections[ObjectIdentifier(connection)] = connection
        shared.metrics.connectionOpened()
    }

    func leave(_ connection: any DrainableConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        shared.metrics.connectionClosed()
        if connections.isEmpty { finishDrain() }
    }

    func drain(deadline: Duration) async {
        await withCheckedContinuation { done in
            let isRunning = loop.execute { [self] in
                isDraining = true
                guard !connections.isEmpty else { return done.resume() }
                let previous = onEmpty
                onEmpty = {
                    previous?()
                    done.resume()
                }
                loop.schedule(after: deadline) { [self] in abortAll() }
                for connection in connections.values { connection.drain() }
            }
            if !isRunning { done.resume() }
        }
    }

    private func abortAll() {
        for connection in connections.values { connection.abort() }
    }

    private func finishDrain() {
        let last = onEmpty
        onEmpty = nil
        last?()
    }
}
