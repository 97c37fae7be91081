public import Crypto
public import EventLoop
public import Timekeeping
import Transport

/// A stand-in for Apple's push service: TLS, HTTP/2, provider authentication, devices that store and receive, faults on
/// order, and a record of everything that senders did.
///
/// Judges from outside: shares no code with what it tests but transport and codecs.
public final class APNsSimulator: Sendable {
    /// Names and addresses that the simulator's own certificate is good for: this machine's, and Apple's for clients
    /// with fixed host names.
    public static let certificateNames = [
        "localhost", "127.0.0.1", "::1", "api.push.apple.com", "api.sandbox.push.apple.com",
        "api.development.push.apple.com", "api-manage-broadcast.push.apple.com",
        "api-manage-broadcast.sandbox.push.apple.com", "api-broadcast.push.apple.com",
        "api-broadcast.sandbox.push.apple.com",
    ]

    /// The PEM certificates that a sender must trust.
    public let authorityPEM: String
    /// The bound ports, one for each endpoint of the options.
    public let ports: [UInt16]
    let service: PushService
    let loops: [EventLoop]
    private let listeners: [Listener]

    private init(
        authorityPEM: String, service: PushService, loops: [EventLoop], listeners: [Listener]
    ) {
        self.authorityPEM = authorityPEM
        self.service = service
        self.loops = loops
        self.listeners = listeners
        ports = listeners.map(\.port)
    }

    /// The port of the first endpoint.
    public var port: UInt16 { ports.first ?? 0 }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - authority: Signs the server's certificate; a new one is made when there is none.
    ///   - loops: The running loops that carry the connections; at least one.
    /// - Throws: `TransportError`, `CryptoError` or `PushRecorder.Failure`.
    public static func start(
        _ options: APNsSimulatorOptions = APNsSimulatorOptions(), authority: CertificateAuthority? = nil,
        clock: any WallClock = SystemClock(), loops: [EventLoop]
    ) throws -> APNsSimulator {
        let now = SystemClock().now()
        let validity = now.adding(seconds: -86_400)...now.adding(seconds: 3650 * 86_400)
        let authority = try authority ?? .generate(name: "Pharos APNs simulator", validity: validity)
        let leaf = try authority.issueServer(
            names: certificateNames, validity: validity.lowerBound...now.adding(seconds: 365 * 86_400))
        let identity = TLSIdentity(
            certificateChainPEM: Array(leaf.certificatePEM.utf8), privateKeyPEM: Array(leaf.keyPEM.utf8))
        let tls = try TLSServerContext(
            identity: identity, protocols: ["h2"], clientCertificates: .requested, readAhead: true)
        let recorder = try options.recordingPath.map { try PushRecorder(path: $0) }
        let service = PushService(options: options, clock: clock, recorder: recorder)
        var listeners: [Listener] = []
        do {
            for endpoint in options.endpoints {
                listeners.append(try listen(endpoint, options.connections, tls: tls, service: service, loops: loops))
            }
        } catch {
            for listener in listeners { listener.stop() }
            throw error
        }
        return APNsSimulator(
            authorityPEM: authority.certificate.pem, service: service, loops: loops, listeners: listeners)
    }

    private static func listen(
        _ endpoint: APNsSimulatorOptions.Endpoint, _ rules: ConnectionRules, tls: TLSServerContext,
        service: PushService, loops: [EventLoop]
    ) throws(TransportError) -> Listener {
        let environment = endpoint.environment
        var options = ListenerOptions()
        options.address = endpoint.address
        options.port = endpoint.port
        options.spreading = .inTurn
        options.maximumConnections = rules.maximumConnections
        options.tls = tls
        options.admission = { service.admission(environment: environment) }
        return try Listener(options, loops: loops) { connection in
            service.open(connection, environment: environment, rules: rules)
        }
    }

    /// Stops listening and ends every connection with GOAWAY. Returns before the last byte is sent.
    public func stop() {
        for listener in listeners { listener.stop() }
        service.withConnections { $0.shutDown() }
    }

    /// Does at once to open connections what a fault would do at the next request: `goAway`, `shutdown`, `halfOpen`,
    /// `closeConnection` or `serverErrors`.
    ///
    /// - Parameter connection: The connection's number; all when `nil`.
    /// - Returns: How many connections there were.
    @discardableResult
    public func strike(_ fault: Fault, connection: Int? = nil) -> Int {
        service.withConnections(connection) { $0.strikeAndFlush(fault) }
    }
}
