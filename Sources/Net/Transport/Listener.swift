import CLinux
public import EventLoop
import Glibc
import Synchronization

/// Accepts TCP connections on one address and gives each a handler.
public final class Listener: Sendable {
    /// The port that was bound.
    public let port: UInt16
    public let address: String
    private let acceptors: [Acceptor]
    private let connectionCount: ConnectionCount

    /// Binds, and starts to accept unless the options say that it is to wait. Port 0 is chosen once, and all loops
    /// share it.
    ///
    /// - Parameter makeHandler: Called on the connection's loop when the connection is open; with TLS, after its
    ///   handshake. `opened` follows.
    public init(
        _ options: ListenerOptions, loops: [EventLoop],
        makeHandler: @escaping @Sendable (Connection) -> any ConnectionHandler
    ) throws(TransportError) {
        let accepting = options.spreading == .kernel ? loops : Array(loops.prefix(1))
        let descriptors = try ListeningSockets.open(options, count: accepting.count)
        let count = ConnectionCount(maximum: options.maximumConnections)
        let acceptances = loops.map {
            Acceptance(loop: $0, connections: count, options: options, makeHandler: makeHandler)
        }
        acceptors = zip(accepting.indices, zip(accepting, descriptors)).map { index, pair in
            let targets = options.spreading == .kernel ? [acceptances[index]] : acceptances
            return Acceptor(descriptor: pair.1, loop: pair.0, connections: count, targets: targets)
        }
        port = descriptors.first.flatMap { UInt16(exactly: pharos_local_port($0)) } ?? 0
        address = options.address
        connectionCount = count
        if options.acceptsAtOnce { accept() }
    }

    /// Starts to accept, once. Clients that came before waited in the kernel.
    public func accept() {
        for acceptor in acceptors { acceptor.start() }
    }

    /// Connections that are open now, those in their handshake included.
    public var openConnections: Int { connectionCount.current }

    /// Stops to accept; open connections stay. Connections that the kernel has already taken are still served.
    public func stop() {
        for acceptor in acceptors { acceptor.stop() }
    }
}

/// The sockets of one listener.
enum ListeningSockets {
    static func open(_ options: ListenerOptions, count: Int) throws(TransportError) -> [Int32] {
        guard pharos_address_family(options.address) != 0 else { throw .notAnAddress(options.address) }
        // Sockets that share a port would silently join those of another process: see first that there is none.
        if count > 1, options.port != 0 { close(try listen(options, port: options.port, shared: false)) }
        var descriptors: [Int32] = []
        var port = options.port
        do throws(TransportError) {
            for _ in 0..<count {
                let descriptor = try listen(options, port: port, shared: count > 1)
                descriptors.append(descriptor)
                if port == 0 { port = UInt16(exactly: pharos_local_port(descriptor)) ?? 0 }
            }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        return descriptors
    }

    private static func listen(_ options: ListenerOptions, port: UInt16, shared: Bool) throws(TransportError) -> Int32 {
        let descriptor = pharos_listen(options.address, port, shared ? 1 : 0, options.backlog)
        guard descriptor >= 0 else {
            throw .cannotListen(address: options.address, port: port, code: -descriptor)
        }
        return descriptor
    }
}
