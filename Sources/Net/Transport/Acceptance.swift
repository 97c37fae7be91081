import EventLoop
import Glibc
import Synchronization
import TLSRecordWire

/// What the connections of one listener share on one loop: the way from accept to the handler.
///
/// `@unchecked Sendable`: touched on its loop's thread only; `connections` is atomic.
final class Acceptance: @unchecked Sendable {
    let loop: EventLoop
    let connections: ConnectionCount
    private let options: ListenerOptions
    private let makeHandler: @Sendable (Connection) -> any ConnectionHandler
    /// Of all connections whose records are our own.
    private lazy var recordCiphers = options.tls?.handsOverRecords == true ? RecordCiphers() : nil
    private let limits: Shared<ConnectionLimits>
    /// What the last handshake settled: most settle the same.
    private var lastSecurity: Shared<ConnectionSecurity>?
    private var handshakes: Set<ObjectIdentifier> = []
    /// Connections whose first bytes came while the maximum of handshakes was going on; the oldest first.
    private var waiting: [Connection] = []

    init(
        loop: EventLoop, connections: ConnectionCount, options: ListenerOptions,
        makeHandler: @escaping @Sendable (Connection) -> any ConnectionHandler
    ) {
        self.loop = loop
        self.connections = connections
        self.options = options
        limits = Shared(options.limits)
        self.makeHandler = makeHandler
    }

    /// Takes over an accepted descriptor that `connections` has counted already.
    func start(_ descriptor: Int32) {
        switch options.admission?() ?? .admitted {
        case .admitted: serve(descriptor)
        case .refused:
            close(descriptor)
            connections.leave()
        case .admittedLater(let delay): loop.schedule(after: delay) { [self] in serve(descriptor) }
        }
    }

    private func serve(_ descriptor: Int32) {
        let state: Connection.State = options.tls == nil ? .open : .awaitingFirstByte
        let connection = Connection(descriptor: descriptor, state: state, loop: loop, limits: limits)
        connection.peerAddress = SocketCalls.peerAddress(descriptor)
        connection.acceptance = self
        SocketCalls.disableDelay(descriptor)
        do {
            try loop.register(descriptor, handler: connection)
        } catch {
            return connection.terminate(.reset(code: 0))
        }
        if options.tls == nil {
            connection.handler = makeHandler(connection)
            connection.open()
        } else {
            connection.armHandshakeDeadline()
        }
    }

    /// The first bytes of a TLS client are here: starts the handshake, or lets it wait for its turn.
    func admit(_ connection: Connection) {
        guard handshakes.count < options.maximumHandshakes else {
            if !waiting.contains(where: { $0 === connection }) { waiting.append(connection) }
            return
        }
        handshakes.insert(ObjectIdentifier(connection))
        connection.beginHandshake(
            options.tls?.makeEngine(descriptor: connection.descriptor, ciphers: recordCiphers))
    }

    func shared(_ security: ConnectionSecurity) -> Shared<ConnectionSecurity> {
        if let lastSecurity, lastSecurity.value == security { return lastSecurity }
        let shared = Shared(security)
        lastSecurity = shared
        return shared
    }

    func handshakeEnded(_ connection: Connection) {
        connection.handler = makeHandler(connection)
        leaveHandshakes(connection)
    }

    func connectionEnded(_ connection: Connection, reason: CloseReason) {
        connections.leave()
        waiting.removeAll { $0 === connection }
        if leaveHandshakes(connection) { options.onHandshakeFailure?(connection.peerAddress, reason) }
    }

    @discardableResult
    private func leaveHandshakes(_ connection: Connection) -> Bool {
        guard handshakes.remove(ObjectIdentifier(connection)) != nil else { return false }
        if !waiting.isEmpty { admit(waiting.removeFirst()) }
        return true
    }
}

/// How many connections a listener holds, over all loops.
final class ConnectionCount: Sendable {
    private let count = Atomic(0)
    private let maximum: Int

    init(maximum: Int) {
        self.maximum = maximum
    }

    var current: Int { count.load(ordering: .relaxed) }

    /// - Returns: `false` when there is no room.
    func enter() -> Bool {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue > maximum else { return true }
        leave()
        return false
    }

    func leave() {
        count.wrappingSubtract(1, ordering: .relaxed)
    }
}
