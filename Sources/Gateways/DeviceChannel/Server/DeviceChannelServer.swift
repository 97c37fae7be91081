public import EventLoop
import PushCore
import Synchronization
public import Telemetry
import Timekeeping
public import Transport

/// Serves devices over MCS, the protocol of `mtalk`: one TLS connection for all apps of a device, over which messages
/// travel both ways. Source: Chromium `google_apis/gcm`.
public final class DeviceChannelServer: Sendable {
    private let loops: [EventLoop]
    private let parts: [ObjectIdentifier: ChannelLoop]
    private let listeners = Mutex<[Listener]>([])

    /// - Parameter metrics: Where the channel's counters are registered; once for each registry.
    public init(
        limits: SessionLimits = SessionLimits(), loops: [EventLoop], services: DeviceServices,
        metrics: MetricRegistry, logger: Logger
    ) {
        let shared = ChannelShared(
            limits, services: services, measures: ChannelMeasures(metrics), logger: logger)
        self.loops = loops
        parts = Dictionary(
            loops.map { (ObjectIdentifier($0), ChannelLoop(loop: $0, shared: shared)) }, uniquingKeysWith: { $1 })
    }

    /// Accepts connections on one more address. The options need TLS, without ALPN; their output limit is lowered to
    /// what a device that does not read may make the service hold.
    ///
    /// - Returns: The listener, whose `port` was chosen by the kernel when the options say 0.
    @discardableResult
    public func listen(_ options: ListenerOptions) throws(TransportError) -> Listener {
        var options = options
        options.limits.highWaterBytes = min(options.limits.highWaterBytes, ChannelLoop.highWaterBytes)
        let listener = try Listener(options, loops: loops) { [parts] connection in
            guard let part = parts[ObjectIdentifier(connection.loop)] else { return ClosingHandler() }
            return DeviceConnection(connection, part: part)
        }
        listeners.withLock { $0.append(listener) }
        return listener
    }

    /// Connections of all listeners.
    public var openConnections: Int { listeners.withLock { $0.reduce(0) { $0 + $1.openConnections } } }

    /// Ends gracefully: stops to accept, commits and confirms what devices have sent, and closes the connections
    /// little by little. Devices are not told to go: the plain end of a connection brings all of them back soonest.
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
final class ChannelShared: Sendable {
    let rules: MCSServerSession.Rules
    let inboxes: DeviceInboxes
    let live: LiveDevices
    let clock: any WallClock
    let acceptUpstream: DeviceServices.UpstreamAcceptor
    let loginFaults: DeviceServices.LoginFaults?
    let measures: ChannelMeasures
    let logger: Logger

    init(_ limits: SessionLimits, services: DeviceServices, measures: ChannelMeasures, logger: Logger) {
        rules = MCSServerSession.Rules(limits)
        inboxes = services.inboxes
        live = services.live
        clock = services.clock
        acceptUpstream = services.acceptUpstream
        loginFaults = services.loginFaults
        self.measures = measures
        self.logger = logger
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
