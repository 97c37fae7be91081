import FirebaseCore
import FirebasePlatform
import Foundation
import MCSWire
import Testing

@testable import FirebaseMessaging

/// The direct channel's public calls, which are deprecated: a protocol stands between, so that tests are not.
protocol DirectChannelCalls: AnyObject {
    var shouldEstablishDirectChannel: Bool { get set }
    var isDirectChannelEstablished: Bool { get }
    func connect(handler: @escaping ((any Error)?) -> Void)
    func disconnect()
    func sendMessage(
        _ message: [AnyHashable: Any], to receiver: String, withMessageID messageID: String, timeToLive ttl: Int64)
}

extension Messaging: DirectChannelCalls {}

/// The server's end of a stream: reads and writes packets, and counts them.
final class FakeChannel {
    let stream: ManualByteStream
    private var reader = MCSFrameReader(maximumPayloadBytes: 1 << 20)
    private(set) var version: UInt8?
    private(set) var read = 0
    private(set) var written = 0

    init(_ stream: ManualByteStream) {
        self.stream = stream
    }

    /// What the client wrote since the last call.
    func packets() throws -> [MCSPacket] {
        reader.receive(stream.takeWritten())
        var packets: [MCSPacket] = []
        while let element = try reader.next() {
            switch element {
            case .version(let byte): version = byte
            case .packet(let packet): packets.append(packet)
            }
        }
        read += packets.count
        return packets
    }

    func send(_ packets: MCSPacket...) {
        var bytes: [UInt8] = written == 0 ? [version ?? DirectChannelSession.version] : []
        for packet in packets { packet.append(to: &bytes) }
        written += packets.count
        stream.deliver(bytes)
    }

    /// Confirms everything read so far.
    func confirm() {
        send(.heartbeatPing(Heartbeat(lastStreamIDReceived: Int32(read))))
    }

    /// Takes the connection and the login.
    @discardableResult
    func logIn() throws -> LoginRequest {
        stream.open()
        guard case .loginRequest(let request)? = try packets().first else { throw NoLogin() }
        var response = LoginResponse(id: request.id)
        response.lastStreamIDReceived = Int32(read)
        send(.loginResponse(response))
        return request
    }

    struct NoLogin: Error {}
}

/// What the app was told about messages and the channel.
final class ChannelDelegate: MessagingDelegate {
    let messages = Record<ReceivedMessageText>()

    struct ReceivedMessageText: Sendable, Equatable {
        var id: String
        var data: String
    }

    @available(*, deprecated)
    func messaging(_ messaging: Messaging, didReceive remoteMessage: MessagingRemoteMessage) {
        let entries = remoteMessage.appData.map { "\($0.key)=\($0.value)" }.sorted()
        messages.append(.init(id: remoteMessage.messageID, data: entries.joined(separator: " ")))
    }
}

/// A phone whose app is registered, in the foreground, with the server of the direct channel in reach.
final class ChannelPhone {
    let phone: TestPhone
    private(set) var delegate = ChannelDelegate()
    private var channels: [FakeChannel] = []

    init(infoPlist: [String: PlistValue] = [:], registers: Bool = true, foreground: Bool = true) throws {
        phone = TestPhone(infoPlist: infoPlist)
        try phone.launch()
        try phone.installationID()
        start(foreground: foreground)
        if registers { phone.setAPNSToken() }
    }

    private func start(foreground: Bool) {
        phone.messaging.delegate = delegate
        if foreground { move(to: .active) }
    }

    var calls: any DirectChannelCalls { phone.messaging }
    var isUp: Bool { calls.isDirectChannelEstablished }
    var device: InMemoryDevice { phone.device }

    func move(to state: AppState) {
        device.executor.onMain { device.appState.move(to: state) }
        drain()
    }

    func drain() { phone.drain() }

    func wait(seconds: Double) { phone.wait(seconds: seconds) }

    func setNetwork(_ isThere: Bool) {
        device.executor.onMain { device.reachability.set(isThere) }
        drain()
    }

    /// Ends the app and starts it again.
    func relaunch() throws {
        device.executor.onMain { phone.container.app?.delete { _ in } }
        drain()
        delegate = ChannelDelegate()
        channels = []
        try phone.relaunch()
        start(foreground: true)
        phone.setAPNSToken()
    }

    /// How often the phone tried to connect.
    var attempts: Int { device.byteStreams.streams.count }

    /// The server's end of the latest attempt.
    func channel() throws -> FakeChannel {
        let stream = try #require(device.byteStreams.streams.last)
        if let last = channels.last, last.stream === stream { return last }
        let channel = FakeChannel(stream)
        channels.append(channel)
        return channel
    }

    /// Lets the SDK bring the channel up.
    @discardableResult
    func bringUp() throws -> FakeChannel {
        calls.shouldEstablishDirectChannel = true
        drain()
        return try acceptLogin()
    }

    @discardableResult
    func acceptLogin() throws -> FakeChannel {
        let channel = try channel()
        try channel.logIn()
        drain()
        return channel
    }

    func connect() -> Record<(any Error)?> {
        let result = Record<(any Error)?>()
        calls.connect { result.append($0) }
        drain()
        return result
    }

    func send(
        _ id: String, _ data: [AnyHashable: Any] = ["k": "v"], to receiver: String = "1@gcm.googleapis.com",
        ttl: Int64 = 3600
    ) {
        calls.sendMessage(data, to: receiver, withMessageID: id, timeToLive: ttl)
        drain()
    }

    /// How messages to the server ended, in order: `id` or `id:code`.
    var endings: [String] {
        device.notifications.record.entries.compactMap { entry in
            guard let id = entry.userInfo["messageID"] as? String else { return nil }
            switch entry.name {
            case .upstreamSent: return id
            case .upstreamFailed: return "\(id):\((entry.userInfo["error"] as? MessagingError)?.errorCode ?? -1)"
            default: return nil
            }
        }
    }

    func count(_ name: NotificationName) -> Int {
        device.notifications.record.entries.count { $0.name == name }
    }
}

extension [MCSPacket] {
    var dataMessages: [DataMessageStanza] {
        compactMap { if case .dataMessage(let stanza) = $0 { stanza } else { nil } }
    }

    var pings: Int { count { if case .heartbeatPing = $0 { true } else { false } } }
}

extension Record<(any Error)?> {
    /// The codes that a completion was called with, 0 for success.
    var errorCodes: [Int] { entries.map { $0.map { ($0 as? MessagingError)?.errorCode ?? -1 } ?? 0 } }
}

extension DataMessageStanza {
    static func message(_ persistentID: String, _ data: [(String, String)] = [("k", "v")]) -> DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.from = TestPhone.sender
        stanza.category = TestPhone.bundleID
        stanza.persistentID = persistentID
        stanza.appData = data.map { AppData(key: $0.0, value: $0.1) }
        return stanza
    }
}
