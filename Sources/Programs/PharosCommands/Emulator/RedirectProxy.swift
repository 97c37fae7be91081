import EventLoop
import HTTP1Wire
import HTTPSemantics
import Transport

/// A CONNECT proxy that joins tunnels for Google's hosts to our own HTTPS listener, and refuses every other host.
///
/// TLS ends at that listener, whose certificate names the hosts; see `docs/decisions/redirect-proxy.md`.
final class RedirectProxy: Sendable {
    /// The hosts that the service plays.
    static let hosts: Set<String> = [
        "accounts.google.com", "android.apis.google.com", "android.clients.google.com", "android.googleapis.com",
        "console.firebase.google.com",
        "device-provisioning.googleapis.com", "fcm.googleapis.com", "fcmdata.googleapis.com",
        "fcmregistrations.googleapis.com", "fcmtoken.googleapis.com", "firebaseinstallations.googleapis.com",
        "gcm-http.googleapis.com", "iid.googleapis.com", "jmt17.google.com", "oauth2.googleapis.com",
        "www.googleapis.com",
    ]

    private let listener: Listener

    /// - Parameter target: The HTTPS listener.
    init(listen address: ListenAddress, target: ListenAddress, loops: [EventLoop]) throws(TransportError) {
        var options = ListenerOptions()
        options.address = address.host
        options.port = address.port
        options.maximumConnections = 4_096
        options.limits.idleLimit = .seconds(600)
        listener = try Listener(options, loops: loops) { _ in ProxyTunnel(target: target) }
    }

    var port: UInt16 { listener.port }

    func stop() { listener.stop() }
}

/// One client of the proxy: first its CONNECT request, then bytes both ways.
private final class ProxyTunnel: ConnectionHandler {
    private let target: ListenAddress
    private var parser = HTTP1RequestParser()
    private var client: Connection?
    private var upstream: Connection?
    private var isJoined = false

    init(target: ListenAddress) {
        self.target = target
    }

    func opened(_ connection: Connection) {
        client = connection
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        if isJoined { return forward(bytes, to: upstream, from: connection) }
        parser.receive(bytes)
        guard upstream == nil else { return }
        while let event = parser.nextEvent() {
            switch event {
            case .head(let start): return connect(start.head, on: connection)
            case .failed(let error): return refuse(error.status, "Bad request.", on: connection)
            default: continue
            }
        }
    }

    private func connect(_ head: HTTPRequestHead, on connection: Connection) {
        guard head.method == "CONNECT" else {
            return refuse(405, "This proxy only makes tunnels: use it as HTTPS_PROXY.", on: connection)
        }
        let host = head.target.prefix { $0 != ":" }.lowercased()
        guard RedirectProxy.hosts.contains(host) else {
            return refuse(
                403, "\(host) is not a host that Pharos plays; the emulator sends nothing off this machine.",
                on: connection)
        }
        connection.pauseReading()
        upstream = Connection.connect(
            host: target.host, port: target.port, on: connection.loop, deadline: .seconds(5),
            handler: ProxyUpstream(tunnel: self))
    }

    /// The HTTPS listener has answered: from now on, bytes.
    fileprivate func join() {
        guard let client, let upstream else { return }
        isJoined = true
        client.write(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
        upstream.write(parser.takeUnread())
        client.resumeReading()
    }

    private func refuse(_ status: Int, _ text: String, on connection: Connection) {
        let reason = status == 403 ? "Forbidden" : "Refused"
        let answer = """
            HTTP/1.1 \(status) \(reason)\r\ncontent-type: text/plain\r\ncontent-length: \(text.utf8.count)\r\n\
            connection: close\r\n\r\n\(text)
            """
        connection.write(Array(answer.utf8))
        connection.close()
    }

    /// Passes bytes on; a slow reader stops its writer.
    fileprivate func forward(_ bytes: UnsafeRawBufferPointer, to other: Connection?, from source: Connection) {
        guard let other else { return source.close() }
        other.write(bytes)
        if !other.isWritable { source.pauseReading() }
    }

    fileprivate func forwardToClient(_ bytes: UnsafeRawBufferPointer, from source: Connection) {
        forward(bytes, to: client, from: source)
    }

    fileprivate func upstreamBecameWritable() { client?.resumeReading() }

    func becameWritable(_ connection: Connection) { upstream?.resumeReading() }

    func inputEnded(on connection: Connection, truncated: Bool) {
        upstream?.close()
        connection.close()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        client = nil
        upstream?.close()
        upstream = nil
    }

    fileprivate func upstreamClosed() {
        upstream = nil
        if let client, !isJoined { return refuse(502, "The HTTPS listener does not answer.", on: client) }
        client?.close()
    }
}

/// The side of a tunnel that leads to the HTTPS listener.
private final class ProxyUpstream: ConnectionHandler {
    private let tunnel: ProxyTunnel

    init(tunnel: ProxyTunnel) {
        self.tunnel = tunnel
    }

    func opened(_ connection: Connection) { tunnel.join() }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        tunnel.forwardToClient(bytes, from: connection)
    }

    func becameWritable(_ connection: Connection) { tunnel.upstreamBecameWritable() }

    func closed(_ connection: Connection, reason: CloseReason) { tunnel.upstreamClosed() }
}
