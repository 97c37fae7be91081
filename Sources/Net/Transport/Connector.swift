import CLinux
public import EventLoop
import Glibc

/// Finds an address of a host that takes the connection: one after the other, each with its share of the time.
final class Connector {
    private unowned let connection: Connection
    private let host: String
    private let port: UInt16
    private let tls: (context: TLSClientContext, serverName: String)?
    private let deadline: MonotonicTime
    private let allowsAddress: (@Sendable (String) -> Bool)?
    private var addresses: ArraySlice<String> = []
    private var attemptTimer: ScheduledTimer?
    private var lastFailure = "no address"

    init(
        _ connection: Connection, host: String, port: UInt16, deadline: Duration,
        tls: (context: TLSClientContext, serverName: String)?, allowsAddress: (@Sendable (String) -> Bool)?
    ) {
        self.connection = connection
        self.host = host
        self.port = port
        self.tls = tls
        self.allowsAddress = allowsAddress
        self.deadline = connection.loop.batchTime.adding(deadline)
    }

    func start() {
        NameResolver.shared.resolve(host, on: connection.loop) { [weak self] addresses in
            guard let self else { return }
            begin(with: addresses)
        }
    }

    /// The addresses that are asked about are the ones that are connected to: the name is not looked up again.
    private func begin(with found: [String]) {
        guard case .connecting = connection.state else { return }
        let allowed = allowsAddress.map { found.filter($0) } ?? found
        guard found.isEmpty || !allowed.isEmpty else { return connection.terminate(.addressRefused) }
        addresses = allowed[...]
        tryNextAddress()
    }

    func cancel() {
        attemptTimer?.cancel()
    }

    private func tryNextAddress() {
        attemptTimer?.cancel()
        connection.releaseDescriptor()
        guard let address = addresses.popFirst() else {
            return connection.terminate(.cannotConnect(detail: lastFailure))
        }
        let descriptor = pharos_connect(address, port)
        guard descriptor >= 0 else { return attemptFailed(code: -descriptor) }
        connection.descriptor = descriptor
        connection.peerAddress = address
        do {
            try connection.loop.register(descriptor, handler: connection)
        } catch {
            return attemptFailed(code: EMFILE)
        }
        guard !addresses.isEmpty else { return }
        let share = deadline.since(.now()) / (addresses.count + 1)
        attemptTimer = connection.loop.schedule(after: share) { [unowned self] in attemptFailed(code: ETIMEDOUT) }
    }

    private func attemptFailed(code: Int32) {
        lastFailure = String(cString: strerror(code))
        connection.loop.executeLater { [self, connection] in
            if case .connecting = connection.state { tryNextAddress() }
        }
    }

    func socketIsReady(_ events: ReadyEvents) {
        let error = pharos_socket_error(connection.descriptor)
        guard error == 0 else { return attemptFailed(code: -error) }
        guard events.contains(.writable), !events.contains(.hangUp) else { return }
        attemptTimer?.cancel()
        connection.connector = nil
        guard let tls else {
            connection.open()
            return connection.scheduleRead()
        }
        let engine = tls.context.makeEngine(descriptor: connection.descriptor, serverName: tls.serverName)
        connection.beginHandshake(engine)
    }
}

extension Connection {
    /// Connects to a host. The handler is told `opened` or `closed`, later, never before this returns.
    ///
    /// - Parameters:
    ///   - host: A name or a numeric address. Names are looked up off the loop.
    ///   - deadline: For everything up to `opened`: look-up, connect and TLS handshake.
    ///   - tls: `nil` for plain TCP.
    ///   - serverName: The name that the server's certificate must have; `host` if it is `nil`.
    ///   - allowsAddress: Whether to connect to a numeric address of the host; `nil` allows all.
    @discardableResult
    public static func connect(
        host: String, port: UInt16, on loop: EventLoop, deadline: Duration, tls: TLSClientContext? = nil,
        serverName: String? = nil, limits: ConnectionLimits = ConnectionLimits(),
        allowsAddress: (@Sendable (String) -> Bool)? = nil, handler: any ConnectionHandler
    ) -> Connection {
        let connection = Connection(descriptor: -1, state: .connecting, loop: loop, limits: Shared(limits))
        connection.handler = handler
        // The timer keeps the connection alive while no descriptor does.
        connection.deadlineTimer = loop.schedule(after: deadline) { connection.terminate(.timedOut) }
        let connector = Connector(
            connection, host: host, port: port, deadline: deadline, tls: tls.map { ($0, serverName ?? host) },
            allowsAddress: allowsAddress)
        connection.connector = connector
        connector.start()
        return connection
    }
}
