import EventLoop
import Glibc
import JSON
import MCSWire
import Transport

extension BenchLoad {
    /// A device channel that knows no devices and no store: admits everybody, writes a made frame to each connection,
    /// and drops what they acknowledge. What it needs for a message is what TLS and the kernel need.
    static let floor = BenchLoad(
        name: "floor",
        summary: "writes to devices and does nothing else. --port N --cert FILE --key FILE --body-bytes N. "
            + "Commands: publish"
    ) { arguments in
        let loops = try EventLoopGroup(count: 2)
        let audience = loops.loops.map { FloorAudience(loop: $0) }
        var options = ListenerOptions()
        options.port = UInt16(clamping: try arguments.count("port", default: 0))
        options.tls = try TLSServerContext(
            identity: TLSIdentity(
                certificateChainPEM: try TextFile.read(try arguments.text("cert")),
                privateKeyPEM: try TextFile.read(try arguments.text("key"))), readAhead: true)
        let listener = try Listener(options, loops: loops.loops) { connection in
            FloorConnection(of: audience.first { $0.loop === connection.loop })
        }
        BenchOutput.write(["port": .integer(Int64(listener.port))])
        let frame = frame(bytes: try arguments.count("body-bytes", default: 200))
        while readLine() != nil {
            for part in audience { part.publish(frame) }
            BenchOutput.write([:])
        }
        loops.shutDown()
        return [:]
    }

    private static func frame(bytes: Int) -> [UInt8] {
        var stanza = DataMessageStanza()
        stanza.from = "1"
        stanza.category = BenchWorld.bundleID
        stanza.rawData = [UInt8](repeating: 0x78, count: max(0, bytes - 32))
        return MCSPacket.dataMessage(stanza).frame
    }
}

/// The connections of one loop.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
private final class FloorAudience: @unchecked Sendable {
    let loop: EventLoop
    var connections: [Connection] = []

    init(loop: EventLoop) {
        self.loop = loop
    }

    func publish(_ frame: [UInt8]) {
        loop.execute { [self] in
            for connection in connections { connection.write(frame) }
        }
    }
}

private final class FloorConnection: ConnectionHandler {
    private let audience: FloorAudience?
    private var isAdmitted = false

    init(of audience: FloorAudience?) {
        self.audience = audience
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        guard !isAdmitted, let version = bytes.first else { return }
        isAdmitted = true
        connection.write([version] + MCSPacket.loginResponse(LoginResponse(id: "floor")).frame)
        audience?.connections.append(connection)
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        audience?.connections.removeAll { $0 === connection }
    }
}
