public import EventLoop
public import FirebasePlatform
import Synchronization
public import Transport

/// The way of a phone's direct channel: TLS connections of the machine. May be shared by the phones of a loop.
public final class TLSByteStreams: ByteStreamConnector {
    /// Look-up, connect and handshake together; the SDK gives up on its own clock, which may stand still.
    private static let deadline = Duration.seconds(30)

    private let context: TLSClientContext
    private let loop: EventLoop

    /// - Parameter trust: Whose signature makes a server's certificate good: a local service has a CA of its own.
    public init(trust: TLSClientContext.Trust, loop: EventLoop) throws(TransportError) {
        context = try TLSClientContext(trust: trust)
        self.loop = loop
    }

    public func connect(
        host: String, port: UInt16, events: @escaping @Sendable (ByteStreamEvent) -> Void
    ) -> any ByteStream {
        let stream = TLSByteStream(loop: loop)
        let isAccepted = loop.execute { [context, loop] in
            let handler = StreamHandler(events)
            stream.take(
                Connection.connect(
                    host: host, port: port, on: loop, deadline: Self.deadline, tls: context, handler: handler))
        }
        if !isAccepted { stream.close() }
        return stream
    }
}

/// One connection; whatever is asked of it happens on its loop.
private final class TLSByteStream: ByteStream {
    private struct State {
        var connection: Connection?
        var isClosed = false
    }

    private let loop: EventLoop
    private let state = Mutex(State())

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Called on the loop.
    func take(_ connection: Connection) {
        let isClosed = state.withLock { state in
            state.connection = connection
            return state.isClosed
        }
        if isClosed { connection.close() }
    }

    func write(_ bytes: [UInt8]) {
        _ = loop.execute { [self] in state.withLock(\.connection)?.write(bytes) }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        _ = loop.execute { [self] in state.withLock(\.connection)?.close() }
    }
}

/// Translates what happens on a connection. Lives on the connection's loop.
private final class StreamHandler: ConnectionHandler {
    private let events: @Sendable (ByteStreamEvent) -> Void
    private var endedProperly = false

    init(_ events: @escaping @Sendable (ByteStreamEvent) -> Void) {
        self.events = events
    }

    func opened(_ connection: Connection) {
        events(.opened)
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        events(.received(Array(bytes)))
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        endedProperly = !truncated
        connection.close()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        events(.closed(endedProperly ? nil : WebError(reason)))
    }
}

extension WebError {
    /// What the system would say.
    fileprivate init(_ reason: CloseReason) {
        switch reason {
        case .cannotConnect, .addressRefused: self = .cannotConnectToHost
        case .timedOut: self = .timedOut
        case .tlsFailed: self = .secureConnectionFailed
        case .closedLocally, .reset, .idle, .stalled, .loopStopped: self = .networkConnectionLost
        }
    }
}
