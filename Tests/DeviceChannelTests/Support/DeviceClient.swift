import EventLoop
import MCSWire
import Synchronization
import Testing
import Transport

/// The device's end of a connection, which does nothing by itself.
///
/// `@unchecked Sendable`: `connection` and `reader` are touched on the loop only; `inbox` is guarded by itself.
final class DeviceClient: ConnectionHandler, @unchecked Sendable {
    private struct Inbox {
        var bytes: [UInt8] = []
        var packets: [MCSPacket] = []
        var hasEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let loop: EventLoop
    private var connection: Connection?
    private var unsent: [UInt8] = []
    private var reader = MCSFrameReader(maximumPayloadBytes: 1 << 20)
    private let inbox = Mutex(Inbox())

    init(port: UInt16, on loop: EventLoop, tls: TLSClientContext) {
        self.loop = loop
        loop.execute { [self] in
            connection = Connection.connect(
                host: "127.0.0.1", port: port, on: loop, deadline: .seconds(30), tls: tls, handler: self)
        }
    }

    func send(_ bytes: [UInt8]) {
        loop.execute { [self] in
            guard let connection, connection.isOpen else {
                unsent += bytes
                return
            }
            connection.write(bytes)
        }
    }

    func send(_ packet: MCSPacket) {
        send(packet.frame)
    }

    func acknowledge(upTo streamID: Int32) {
        send(.iq(.streamAck(lastStreamIDReceived: streamID)))
    }

    /// Cuts the connection without a word.
    func cut() {
        loop.execute { [self] in connection?.abort() }
    }

    func pauseReading() {
        loop.execute { [self] in connection?.pauseReading() }
    }

    func resumeReading() {
        loop.execute { [self] in connection?.resumeReading() }
    }

    /// The next packet; `nil` at the end of the stream.
    func next() async -> MCSPacket? {
        while true {
            let (packet, isEnd) = inbox.withLock { inbox in
                (inbox.packets.isEmpty ? nil : inbox.packets.removeFirst(), inbox.hasEnded)
            }
            if let packet { return packet }
            if isEnd { return nil }
            await withCheckedContinuation { continuation in
                let isReady = inbox.withLock { inbox in
                    guard inbox.packets.isEmpty, !inbox.hasEnded else { return true }
                    inbox.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    func messages(_ count: Int) async -> [DataMessageStanza] {
        var messages: [DataMessageStanza] = []
        while messages.count < count, let packet = await next() {
            if let stanza = packet.stanza { messages.append(stanza) }
        }
        return messages
    }

    /// Everything that the server has written before it answers a ping: waits for no time, and misses nothing.
    func packetsBeforeAnswer() async -> [MCSPacket] {
        send(.heartbeatPing(Heartbeat(status: 4_711)))
        var packets: [MCSPacket] = []
        while let packet = await next() {
            if case .heartbeatAck(let answer) = packet, answer.status == 4_711 { break }
            packets.append(packet)
        }
        return packets
    }

    func rest() async -> [MCSPacket] {
        var packets: [MCSPacket] = []
        while let packet = await next() { packets.append(packet) }
        return packets
    }

    /// The two packets that follow a login.
    func expectLogin() async throws {
        guard case .loginResponse(let response) = try #require(await next()) else {
            Issue.record("no login response")
            return
        }
        #expect(response.error == nil)
        #expect(response.lastStreamIDReceived == 1)
        guard case .iq(let stanza) = try #require(await next()), case .selectiveAck = stanza.content else {
            Issue.record("no selective acknowledgement")
            return
        }
    }

    /// Every byte that came.
    var received: [UInt8] { inbox.withLock(\.bytes) }

    // MARK: ConnectionHandler

    func opened(_ connection: Connection) {
        connection.write(unsent)
        unsent = []
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        reader.receive(bytes)
        var packets: [MCSPacket] = []
        while let element = try? reader.next() {
            if case .packet(let packet) = element { packets.append(packet) }
        }
        change { inbox in
            inbox.bytes += bytes
            inbox.packets += packets
        }
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        change { $0.hasEnded = true }
    }

    private func change(_ body: (inout Inbox) -> Void) {
        let waiter = inbox.withLock { inbox in
            body(&inbox)
            defer { inbox.waiter = nil }
            return inbox.waiter
        }
        waiter?.resume()
    }
}
