import EventLoop
import Transport

/// The connections of one client, by origin.
///
/// `@unchecked Sendable`: touched on its loop's thread only, after `init`.
final class ConnectionPool: @unchecked Sendable {
    /// What a connection may be used for.
    struct Origin: Hashable {
        let isSecure: Bool
        let host: String
        let port: UInt16

        init(_ url: HTTPURL) {
            isSecure = url.isSecure
            host = url.host
            port = url.port
        }
    }

    private struct Entry {
        var idle: [ClientConnection] = []
        var open = 0
        var waiting: [ClientExchange] = []
    }

    let configuration: HTTPClientConfiguration
    let tls: TLSClientContext
    let loop: EventLoop
    private var origins: [Origin: Entry] = [:]
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    private var isShutDown = false

    init(_ configuration: HTTPClientConfiguration, tls: TLSClientContext, loop: EventLoop) {
        self.configuration = configuration
        self.tls = tls
        self.loop = loop
    }

    func start(_ exchange: ClientExchange) {
        exchange.start(deadline: configuration.requestDeadline)
        submit(exchange)
    }

    /// Gives the exchange a kept connection, a new one, or a place in the queue.
    func submit(_ exchange: ClientExchange) {
        guard !exchange.isFinished else { return }
        guard !isShutDown else { return exchange.finish(.failure(.connectionLost)) }
        let origin = Origin(exchange.request.url)
        exchange.attempts += 1
        while let kept = origins[origin]?.idle.popLast() {
            if kept.isUsable { return kept.begin(exchange) }
        }
        guard origins[origin, default: Entry()].open < max(1, configuration.maximumConnectionsPerOrigin) else {
            origins[origin]?.waiting.append(exchange)
            return
        }
        origins[origin, default: Entry()].open += 1
        let connection = ClientConnection(pool: self, origin: origin)
        connections[ObjectIdentifier(connection)] = connection
        connection.connect(for: exchange)
    }

    /// The connection can take another request.
    func release(_ connection: ClientConnection) {
        if let next = nextWaiting(connection.origin) { return connection.begin(next) }
        origins[connection.origin]?.idle.append(connection)
    }

    func forget(_ connection: ClientConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        let origin = connection.origin
        origins[origin]?.open -= 1
        origins[origin]?.idle.removeAll { $0 === connection }
        if let next = nextWaiting(origin) { return resubmit(next) }
        if let entry = origins[origin], entry.open == 0 { origins[origin] = nil }
    }

    private func resubmit(_ exchange: ClientExchange) {
        exchange.attempts -= 1
        submit(exchange)
    }

    private func nextWaiting(_ origin: Origin) -> ClientExchange? {
        while let first = origins[origin]?.waiting.first {
            origins[origin]?.waiting.removeFirst()
            if !first.isFinished { return first }
        }
        return nil
    }

    func shutDown() {
        isShutDown = true
        let waiting = origins.values.flatMap(\.waiting)
        origins = [:]
        for exchange in waiting { exchange.finish(.failure(.connectionLost)) }
        for connection in connections.values { connection.shutDown() }
    }
}
