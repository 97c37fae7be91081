import EventLoop
import FirebasePlatform
import JSON
import MCSWire
import NetTesting
import Synchronization
import Timekeeping
import Transport

@testable import DeviceSimulator

/// A server of the device channel over TLS: takes every login, confirms every message, and keeps what it got.
final class ChannelDoor: Sendable {
    struct State {
        /// Sent after the next login.
        var waiting: [DataMessageStanza] = []
        var logins: [LoginRequest] = []
        var messages: [DataMessageStanza] = []
        var goodbyes = 0
    }

    let state = Mutex(State())
    let port: UInt16
    private let listener: Listener

    init(loops: [EventLoop]) throws {
        var options = ListenerOptions()
        options.tls = try TLSServerContext(
            identity: TLSIdentity(certificateChainPEM: TestCertificates.chain, privateKeyPEM: TestCertificates.key))
        let door = LateDoor()
        listener = try Listener(options, loops: loops) { _ in ChannelDoorHandler(door) }
        port = listener.port
        door.set(self)
    }

    func stop() { listener.stop() }

    func answer(_ packet: MCSPacket, read: Int32) -> [MCSPacket] {
        state.withLock { state in
            switch packet {
            case .loginRequest(let request):
                state.logins.append(request)
                var response = LoginResponse(id: request.id)
                response.lastStreamIDReceived = read
                defer { state.waiting = [] }
                return [.loginResponse(response), .iq(.selectiveAck([]))] + state.waiting.map(MCSPacket.dataMessage)
            case .heartbeatPing: return [.heartbeatAck(Heartbeat(lastStreamIDReceived: read))]
            case .dataMessage(let stanza):
                state.messages.append(stanza)
                return [.iq(.streamAck(lastStreamIDReceived: read))]
            case .close:
                state.goodbyes += 1
                return []
            default: return []
            }
        }
    }
}

/// The listener needs its handlers before there is a door.
private final class LateDoor: Sendable {
    private let door = Mutex<WeakDoor>(WeakDoor())

    func set(_ value: ChannelDoor) { door.withLock { $0 = WeakDoor(value: value) } }
    var value: ChannelDoor? { door.withLock { $0 }.value }

    private struct WeakDoor: Sendable {
        weak let value: ChannelDoor?
        init(value: ChannelDoor? = nil) { self.value = value }
    }
}

private final class ChannelDoorHandler: ConnectionHandler {
    private let door: LateDoor
    private var reader = MCSFrameReader(maximumPayloadBytes: 1 << 16)
    private var read: Int32 = 0

    init(_ door: LateDoor) {
        self.door = door
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        reader.receive(Array(bytes))
        var output: [UInt8] = []
        while let element = try? reader.next() {
            switch element {
            case .version(let version): output.append(version)
            case .packet(let packet):
                read += 1
                for answer in door.value?.answer(packet, read: read) ?? [] { answer.append(to: &output) }
            }
        }
        connection.write(output)
    }

    func closed(_ connection: Connection, reason: CloseReason) {}
}

/// A service that registers whoever asks.
private struct SmallService: WebTransport {
    func send(_ request: WebRequest) async throws(WebError) -> WebResponse {
        let auth: JSONValue = ["token": "auth", "expiresIn": "604800s"]
        if request.url.hasSuffix("/checkin") {
            return answer(["android_id": "4186988920390508656", "security_token": "77", "time_msec": 1])
        }
        if request.url.hasSuffix("/register") {
            let form = String(decoding: request.body, as: UTF8.self)
            let id = form.split(separator: "&").first { $0.hasPrefix("appid=") }?.dropFirst(6) ?? ""
            return WebResponse(status: 200, body: Array("token=\(id):APA91b0".utf8))
        }
        return answer(request.url.hasSuffix(":generate") ? auth : ["refreshToken": "r", "authToken": auth])
    }

    private func answer(_ value: JSONValue) -> WebResponse { WebResponse(status: 200, body: value.encoded) }
}

/// A line to APNs over which no push comes.
private struct QuietLink: APNsLink {
    func register(bundleID: String, sandbox: Bool) async throws -> [UInt8] { Array(repeating: 0xab, count: 32) }
    func uninstall(bundleID: String) async {}
    func setOnline(_ isOnline: Bool) async {}
    func onPush(_ handler: @escaping @Sendable (ArrivingPush) -> Void) {}
    func close() async {}
}

/// A phone with the direct channel, and its server.
final class ChannelWorld: Sendable {
    static let bundleID = "com.example.app"

    let phone: VirtualIPhone
    let door: ChannelDoor
    let clock = VirtualClock()
    private let loops: EventLoopGroup
    private let stream: AsyncStream<DeviceEvent>

    init(authority: [UInt8] = TestCertificates.authority, opensDirectChannel: Bool = true) throws {
        loops = try EventLoopGroup(count: 1)
        door = try ChannelDoor(loops: loops.loops)
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>GOOGLE_APP_ID</key><string>1:123456789012:ios:abcdef</string>
            <key>GCM_SENDER_ID</key><string>123456789012</string>
            <key>API_KEY</key><string>AIza00000000000000000000000000000000000</string>
            <key>PROJECT_ID</key><string>demo-phone</string>
            <key>BUNDLE_ID</key><string>com.example.app</string>
            <key>PHAROS_SERVER_URL</key><string>http://127.0.0.1:9</string>
            <key>PHAROS_DIRECT_CHANNEL</key><string>localhost:\(door.port)</string>
            </dict></plist>
            """
        var package = AppPackage(bundleID: Self.bundleID, mode: .classic, configurationPlist: Array(plist.utf8))
        package.opensDirectChannel = opensDirectChannel
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self)
        self.stream = stream
        let loop = loops.next()
        phone = VirtualIPhone(
            name: "test", package: package, link: QuietLink(), transport: SmallService(),
            byteStreams: try TLSByteStreams(trust: .authorities(pem: authority), loop: loop), clock: clock,
            loop: loop, events: { continuation.yield($0) })
    }

    /// Waits for an event of one of these kinds.
    func event(_ kinds: DeviceEvent.Kind...) async -> DeviceEvent? {
        for await event in stream where kinds.contains(event.kind) { return event }
        return nil
    }

    func end() async {
        await phone.close()
        door.stop()
        loops.shutDown()
    }
}
