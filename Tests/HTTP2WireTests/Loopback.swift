import HTTP2Wire
import HTTPSemantics

/// A client and a server session, joined by hand: `exchange` carries bytes until both are silent.
final class Loopback {
    let client: HTTP2ClientSession
    let server: HTTP2ServerSession
    var clientEvents: [HTTP2ClientEvent] = []
    var serverEvents: [HTTP2ServerEvent] = []
    /// Bytes that cross at a time.
    var pieceBytes = 16_384

    init(
        client: HTTP2ClientConfiguration = HTTP2ClientConfiguration(),
        server: HTTP2ServerConfiguration = HTTP2ServerConfiguration()
    ) {
        self.client = HTTP2ClientSession(client)
        self.server = HTTP2ServerSession(server)
    }

    func exchange() {
        while client.wantsWrite || server.wantsWrite {
            toServer()
            toClient()
        }
    }

    func toServer() {
        var bytes: [UInt8] = []
        client.drainOutput(into: &bytes, maximum: pieceBytes)
        serverEvents += bytes.withUnsafeBytes { server.receive($0) }
        clientEvents += client.takeEvents()
    }

    func toClient() {
        var bytes: [UInt8] = []
        server.drainOutput(into: &bytes, maximum: pieceBytes)
        clientEvents += bytes.withUnsafeBytes { client.receive($0) }
        serverEvents += server.takeEvents()
    }

    static func fields(path: String) -> [HTTP2Field] {
        [
            HTTP2Field(":method", "POST"), HTTP2Field(":scheme", "https"), HTTP2Field(":authority", "localhost"),
            HTTP2Field(":path", path),
        ]
    }

    /// Submits a POST as a push provider would.
    @discardableResult
    func push(path: String = "/3/device/00", extra: [HTTP2Field] = [], body: [UInt8] = []) throws -> Int32 {
        try client.submit(fields: Self.fields(path: path) + extra, body: body)
    }

    func serverBody(of stream: Int32) -> [UInt8] {
        serverEvents.flatMap { if case .data(stream, let bytes, _) = $0 { bytes } else { [UInt8]() } }
    }

    func clientBody(of stream: Int32) -> [UInt8] {
        clientEvents.flatMap { if case .data(stream, let bytes, _) = $0 { bytes } else { [UInt8]() } }
    }

    var requests: [HTTP2Request] {
        serverEvents.compactMap { if case .request(let request) = $0 { request } else { nil } }
    }
}
