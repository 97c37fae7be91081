public import EventLoop
public import PushModel
import Synchronization
public import Telemetry
public import Transport

/// Serves app servers over XMPP: messages to devices with an answer for each, messages of devices with required
/// acknowledgements, and receipts. Source: FCM XMPP protocol (until 2024); AOSP, "GCM Cloud Connection Server".
public final class CCSServer: Sendable {
    private let loops: [EventLoop]
    private let parts: [ObjectIdentifier: CCSLoop]
    private let listeners = Mutex<[Listener]>([])

    /// - Parameter metrics: Where the server's counters are registered; once for each registry.
    public init(
        _ configuration: CCSConfiguration = CCSConfiguration(), loops: [EventLoop], services: CCSServices,
        metrics: MetricRegistry, logger: Logger
    ) {
        let shared = CCSShared(
            configuration: configuration, services: services, measures: CCSMeasures(metrics), logger: logger)
        self.loops = loops
        parts = Dictionary(
            loops.map { (ObjectIdentifier($0), CCSLoop(loop: $0, shared: shared)) }, uniquingKeysWith: { $1 })
    }

    /// Accepts connections on one more address: production and testing are two addresses that answer alike. The options
    /// need TLS, without ALPN.
    ///
    /// - Returns: The listener, whose `port` was chosen by the kernel when the options say 0.
    @discardableResult
    public func listen(_ options: ListenerOptions) throws(TransportError) -> Listener {
        let listener = try Listener(options, loops: loops) { [parts] connection in
            guard let part = parts[ObjectIdentifier(connection.loop)] else { return ClosingHandler() }
            return CCSConnection(connection, part: part)
        }
        listeners.withLock { $0.append(listener) }
        return listener
    }

    /// Connections of all listeners.
    public var openConnections: Int { listeners.withLock { $0.reduce(0) { $0 + $1.openConnections } } }

    /// Tells the app servers of a project to go on with new connections (`CONNECTION_DRAINING`). Their messages on the
    /// old ones are refused from now on; upstream messages that they have can still be acknowledged there.
    ///
    /// - Parameter project: `nil` for all projects.
    /// - Returns: How many connections were told.
    @discardableResult
    public func drainConnections(of project: ProjectNumber?) async -> Int {
        var count = 0
        for part in parts.values { count += await part.drainConnections(of: project) }
        return count
    }

    /// Ends gracefully: stops to accept, tells the app servers to go elsewhere, answers what they have sent.
    ///
    /// - Parameter deadline: Connections that are still there then are closed at once.
    public func drain(deadline: Duration) async {
        for listener in listeners.withLock({ $0 }) { listener.stop() }
        await withTaskGroup { group in
            for part in parts.values { group.addTask { await part.drain(deadline: deadline) } }
        }
    }
}

/// What all connections of a server share.
struct CCSShared: Sendable {
    let configuration: CCSConfiguration
    let services: CCSServices
    let measures: CCSMeasures
    let logger: Logger
    let senders: SenderConnections

    init(configuration: CCSConfiguration, services: CCSServices, measures: CCSMeasures, logger: Logger) {
        self.configuration = configuration
        self.services = services
        self.measures = measures
        self.logger = logger
        senders = SenderConnections(maximum: configuration.connectionsPerSender)
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
