import Bytes
import EventLoop
import JSON
import NetTesting
import Synchronization
import Testing
import Transport
import XMPPWire

@testable import XMPPAPI

/// An app server with a TLS connection of its own. Waits end when the connection does.
final class AppServerClient: Sendable {
    struct Ended: Error {}

    private struct State {
        var connection: Connection?
        var events: [XMPPStreamEvent] = []
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let loop: EventLoop
    private let state = Mutex(State())

    /// Opens a connection, and a stream on it.
    init(port: UInt16, on loop: EventLoop) async throws {
        self.loop = loop
        let tls = try TLSClientContext(trust: .authorities(pem: TestCertificates.authority))
        loop.execute { [self] in
            Connection.connect(
                host: "127.0.0.1", port: port, on: loop, deadline: .seconds(10), tls: tls, serverName: "localhost",
                handler: Handler(self))
        }
        while state.withLock({ $0.connection == nil && !$0.isClosed }) { await wait() }
    }

    // MARK: Sending

    func send(_ text: String) {
        let connection = state.withLock { $0.connection }
        loop.execute { connection?.write(Array(text.utf8)) }
    }

    func send(json: String, id: String = "") {
        send(SessionRun.message(json, id: id))
    }

    func abort() {
        let connection = state.withLock { $0.connection }
        loop.execute { connection?.abort() }
    }

    // MARK: Receiving

    /// Whether the server has ended the stream or the connection.
    var hasEnded: Bool { state.withLock { $0.isClosed || $0.events.contains(.ended) } }

    /// The next event; `nil` when the connection has ended.
    func next() async -> XMPPStreamEvent? {
        while true {
            let (event, isClosed) = state.withLock { state in
                (state.events.isEmpty ? nil : state.events.removeFirst(), state.isClosed)
            }
            if let event { return event }
            if isClosed { return nil }
            await wait()
        }
    }

    func stanza() async throws -> XMLElement {
        guard case .stanza(let element)? = await next() else { throw Ended() }
        return element
    }

    /// The JSON of the next message.
    func json() async throws -> JSONValue {
        let stanza = try await stanza()
        return try JSONValue(parsing: #require(GCMElement.text(in: stanza), "\(stanza)"))
    }

    /// Everything up to the end of the connection.
    func rest() async -> [XMPPStreamEvent] {
        var events: [XMPPStreamEvent] = []
        while let event = await next() { events.append(event) }
        return events
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if !state.events.isEmpty || state.isClosed { return true }
                state.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    private func note(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    // MARK: Login

    /// - Returns: The server's answer to the credentials.
    func authenticate(_ secret: String, name: String) async throws -> XMLElement {
        send(SessionRun.opening)
        guard case .opened? = await next() else { throw Ended() }
        _ = try await stanza()
        send(SessionRun.auth(secret, name: name))
        return try await stanza()
    }

    /// Up to the bound resource.
    func logIn(_ secret: String, name: String) async throws {
        #expect(try await authenticate(secret, name: name).name == "success")
        send(SessionRun.opening)
        guard case .opened? = await next() else { throw Ended() }
        _ = try await stanza()
        send("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        #expect(try await stanza()[attribute: "type"] == "result")
    }

    private final class Handler: ConnectionHandler {
        private let client: AppServerClient
        private let reader = XMPPStreamReader()

        init(_ client: AppServerClient) {
            self.client = client
        }

        func opened(_ connection: Connection) {
            client.note { $0.connection = connection }
        }

        func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
            reader.receive(bytes)
            while let event = reader.nextEvent() {
                if case .stanza(let element) = event, element.name == "success" { reader.restart() }
                client.note { $0.events.append(event) }
            }
        }

        func closed(_ connection: Connection, reason: CloseReason) {
            client.note {
                $0.isClosed = true
                $0.connection = nil
            }
        }
    }
}
