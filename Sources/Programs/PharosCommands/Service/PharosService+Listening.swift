import DeviceChannel
import EventLoop
import GoogleAPI
import HTTPSemantics
import HTTPServer
import OAuthAPI
import PushCore
import SQLiteStore
import Telemetry
import Timekeeping
import Transport
import XMPPAPI

extension PharosService {
    /// Opens the listeners.
    /// - Parameters:
    ///   - extra: Further routes: the emulator's.
    ///   - atRoot: What answers at `/` instead of the console, if it wants to.
    func start(
        extra: Router?, atRoot: @escaping @Sendable (HTTPRequestHead) -> HTTPResponse? = { _ in nil }
    ) throws(CommandFailure) -> Addresses {
        let settings = sealedSettings.value
        let router = LateValue<Router>()
        let server = HTTPServer(loops: loops.loops, metrics: ServiceMetrics(metrics)) { _ in
            router.value ?? Router()
        }
        self.server.set(server)
        var addresses = Addresses()
        var listeners: [Listener] = []
        if let address = settings.listenHTTP {
            let listener = try listen(server, address, option: "listen-http", tls: nil)
            addresses.http = "http://" + address.text(port: listener.port)
            listeners.append(listener)
        }
        if let address = settings.listenHTTPS {
            let listener = try listen(server, address, option: "listen-https", tls: try httpsIdentity())
            addresses.https = "https://" + address.text(port: listener.port)
            addresses.httpsPort = listener.port
            listeners.append(listener)
        }
        if let address = settings.listenDevice {
            let port = try listen(address, option: "listen-device") {
                [deviceChannel] (options) throws(TransportError) in
                try deviceChannel.listen(options).port
            }
            addresses.device = address.text(port: port)
        }
        let endpoint = tokenEndpoint(addresses)
        let senders = SenderAuthentication(
            directory: store, verifier: endpoint.accessTokens, digest: sealing.digest)
        addresses.xmpp = try startXMPP(senders)
        var routes = makeRouter(endpoint: endpoint, senders: senders, extra: extra)
        routes.mount(webPushRouter(addresses: addresses, senders: senders))
        routes.mount(consoleRouter(addresses: addresses, atRoot: atRoot))
        router.set(routes)
        // Not before there are routes: a connection keeps those that it found.
        for listener in listeners { listener.accept() }
        return addresses
    }

    /// - Returns: `host:port` of the production listener.
    private func startXMPP(_ senders: SenderAuthentication) throws(CommandFailure) -> String? {
        let server = CCSServer(
            loops: loops.loops,
            services: CCSServices(
                pipeline: pipeline, senders: senders, upstream: upstream, registrations: store, groups: store,
                clock: clock, sealing: sealing),
            metrics: metrics, logger: logger.named("xmpp"))
        xmpp.set(server)
        let settings = sealedSettings.value
        var production: String?
        let listeners = [("listen-xmpp", settings.listenXMPP), ("listen-xmpp-testing", settings.listenXMPPTesting)]
        for (option, address) in listeners {
            guard let address else { continue }
            let port = try listen(address, option: option) { (options) throws(TransportError) in
                try server.listen(options).port
            }
            if option == "listen-xmpp" { production = address.text(port: port) }
        }
        return production
    }

    /// The certificate that the settings give, else one of the local CA.
    private func httpsIdentity() throws(CommandFailure) -> TLSIdentity {
        if let given = sealedSettings.value.tlsIdentity { return given }
        return try authority.identity(names: LocalAuthority.serverNames, now: clock.now())
    }

    /// Binds a listener that accepts later.
    private func listen(
        _ server: HTTPServer, _ address: ListenAddress, option: String, tls: TLSIdentity?
    ) throws(CommandFailure) -> Listener {
        var options = ListenerOptions()
        options.acceptsAtOnce = false
        options.address = address.host
        options.port = address.port
        do throws(TransportError) {
            if let tls {
                options.tls = try TLSServerContext(identity: tls, protocols: HTTPServer.protocols, readAhead: true)
            }
            return try server.listen(options)
        } catch {
            throw .failed(
                "Cannot listen on \(address.text(port: address.port)): \(error).",
                nextStep: "Choose another address with --\(option) HOST:PORT, or 0 as port for any free one.")
        }
    }

    /// Opens a listener of long connections, which the loops take in turn.
    private func listen(
        _ address: ListenAddress, option: String, open: (ListenerOptions) throws(TransportError) -> UInt16
    ) throws(CommandFailure) -> UInt16 {
        var options = ListenerOptions()
        options.address = address.host
        options.port = address.port
        options.spreading = .inTurn
        let identity = try httpsIdentity()
        do throws(TransportError) {
            options.tls = try TLSServerContext(
                identity: identity, readAhead: true, handsOverRecords: sealedSettings.value.handsOverRecords)
            return try open(options)
        } catch {
            throw .failed(
                "Cannot listen on \(address.text(port: address.port)): \(error).",
                nextStep: "Choose another address with --\(option) HOST:PORT, or 0 as port for any free one.")
        }
    }
}
