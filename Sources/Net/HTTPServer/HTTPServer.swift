public import EventLoop
public import HTTPSemantics
import Synchronization
public import Transport

/// Serves HTTP/1.1 and HTTP/2 on any number of listeners.
///
/// On TLS the protocol is settled by ALPN: give the listener's context `HTTPServer.protocols`. On plain TCP a client
/// that begins with the HTTP/2 preface is taken at its word (RFC 9113 §3.3).
public final class HTTPServer: Sendable {
    /// The ALPN names that the server speaks, in order of preference.
    public static let protocols = ["h2", "http/1.1"]

    private let loops: [EventLoop]
    private let parts: [ObjectIdentifier: ServerLoop]
    private let shared: ServerShared
    private let listeners = Mutex<[Listener]>([])

    /// - Parameter makeHandler: Called once for each connection, on its loop, when it is open; the handler may depend
    ///   on the peer's certificate or address.
    public init(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(), loops: [EventLoop],
        metrics: any HTTPServerMetrics = NoHTTPServerMetrics(),
        makeHandler: @escaping @Sendable (Connection) -> any HTTPHandler
    ) {
        let shared = ServerShared(configuration: configuration, metrics: metrics, makeHandler: makeHandler)
        self.shared = shared
        self.loops = loops
        parts = Dictionary(
            loops.map { (ObjectIdentifier($0), ServerLoop(loop: $0, shared: shared)) }, uniquingKeysWith: { $1 })
    }

    /// A server with one handler for all connections.
    public convenience init(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(), loops: [EventLoop],
        metrics: any HTTPServerMetrics = NoHTTPServerMetrics(), handler: any HTTPHandler
    ) {
        self.init(configuration, loops: loops, metrics: metrics) { _ in handler }
    }

    /// Accepts connections on one more address.
    ///
    /// - Returns: The listener, whose `port` was chosen by the kernel when the options say 0.
    @discardableResult
    public func listen(_ options: ListenerOptions) throws(TransportError) -> Listener {
        let listener = try Listener(options, loops: loops) { [parts] connection in
            guard let part = parts[ObjectIdentifier(connection.loop)] else { return ClosingHandler() }
            return part.handler(for: connection)
        }
        listeners.withLock { $0.append(listener) }
        return listener
    }

    /// Connections of all listeners.
    public var openConnections: Int { listeners.withLock { $0.reduce(0) { $0 + $1.openConnections } } }

    /// Requests that handlers are answering now.
    public var requestsInFlight: Int { shared.requestsInFlight.load(ordering: .relaxed) }

    /// Ends gracefully: stops to accept, tells clients (`connection: close`, GOAWAY), finishes what is in flight.
    ///
    /// - Parameter deadline: Connections that are still there then are closed at once.
    public func drain(deadline: Duration) async {
        for listener in listeners.withLock({ $0 }) { listener.stop() }
        await withTaskGroup { group in
            for part in parts.values { group.addTask { await part.drain(deadline: deadline) } }
        }
    }
}

/// For connections on a loop that is not the server's.
private final class ClosingHandler: ConnectionHandler {
    func opened(_ connection: Connection) {
        connection.abort()
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {}
    func closed(_ connection: Connection, reason: CloseReason) {}
}
