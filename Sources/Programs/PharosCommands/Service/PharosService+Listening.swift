import DeviceChannel
import EventLoop
import GoogleAPI
import HTTPServer
import Timekeeping
import Transport

extension PharosService {
    /// Opens the listeners.
    /// - Parameter extra: Further routes: the emulator's.
    func start(extra: Router?) throws(CommandFailure) -> Addresses {
        let settings = sealedSettings.value
        let router = LateValue<Router>()
        let server = HTTPServer(loops: loops.loops, metrics: ServiceMetrics(metrics)) { _ in
            router.value ?? Router()
        }
        self.server.set(server)
        var addresses = Addresses()
        if let address = settings.listenHTTP {
            addresses.http =
                "http://" + address.text(port: try listen(server, address, option: "listen-http", tls: nil))
        }
        if let address = settings.listenHTTPS {
            let port = try listen(server, address, option: "listen-https", tls: try httpsIdentity())
            addresses.https = "https://" + address.text(port: port)
            addresses.httpsPort = port
        }
        if let address = settings.listenDevice {
            let port = try listen(address, option: "listen-device") {
                [deviceChannel] (options) throws(TransportError) in
                try deviceChannel.listen(options).port
            }
            addresses.device = address.text(port: port)
        }
        router.set(makeRouter(addresses: addresses, extra: extra))
        return addresses
    }

    /// The certificate that the settings give, else one of the local CA.
    private func httpsIdentity() throws(CommandFailure) -> TLSIdentity {
        if let given = sealedSettings.value.tlsIdentity { return given }
        return try authority.identity(names: LocalAuthority.serverNames, now: clock.now())
    }

    private func listen(
        _ server: HTTPServer, _ address: ListenAddress, option: String, tls: TLSIdentity?
    ) throws(CommandFailure) -> UInt16 {
        var options = ListenerOptions()
        options.address = address.host
        options.port = address.port
        do throws(TransportError) {
            if let tls {
                options.tls = try TLSServerContext(identity: tls, protocols: HTTPServer.protocols, readAhead: true)
            }
            return try server.listen(options).port
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
            options.tls = try TLSServerContext(identity: identity, protocols: [], readAhead: false)
            return try open(options)
        } catch {
            throw .failed(
                "Cannot listen on \(address.text(port: address.port)): \(error).",
                nextStep: "Choose another address with --\(option) HOST:PORT, or 0 as port for any free one.")
        }
    }
}
