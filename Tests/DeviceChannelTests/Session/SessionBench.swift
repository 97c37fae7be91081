import Bytes
import EventLoop
import MCSWire
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import DeviceChannel

/// A session, the time, and a client that reads what the session writes.
struct SessionBench {
    static let wallClock = Timestamp(milliseconds: 1_700_000_000_000)
    static let androidID: UInt64 = 0x3A1B_2C3D_4E5F_6071
    static let securityToken: UInt64 = 1_234_605_616_436_508_552

    var session: MCSServerSession
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// Everything that the server has written.
    private(set) var written: [UInt8] = []
    private var reader = MCSFrameReader(maximumPayloadBytes: 1 << 20)

    init(_ change: (inout SessionLimits) -> Void = { _ in }) {
        var limits = SessionLimits()
        change(&limits)
        session = MCSServerSession(MCSServerSession.Rules(limits), now: now)
    }

    /// A session behind its login; the two first packets are read already.
    static func loggedIn(_ change: (inout SessionLimits) -> Void = { _ in }) throws -> SessionBench {
        var bench = SessionBench(change)
        try bench.logIn()
        return bench
    }

    static func login(_ change: (inout LoginRequest) -> Void = { _ in }) -> LoginRequest {
        var request = LoginRequest()
        request.id = "chrome-1"
        request.domain = LoginRequest.usualDomain
        request.user = String(androidID)
        request.resource = String(androidID)
        request.authToken = String(securityToken)
        request.deviceID = "android-3a1b2c3d4e5f6071"
        request.settings = [Setting(name: "new_vc", value: "1")]
        request.useRMQ2 = true
        request.authService = LoginRequest.androidIDService
        change(&request)
        return request
    }

    mutating func logIn(_ request: LoginRequest = login(), holding upstreamIDs: [String] = []) throws {
        let events = receive([41] + MCSPacket.loginRequest(request).frame)
        guard case .login(let login) = try #require(events.first) else {
            Issue.record("no login but \(events)")
            return
        }
        admit(login, holding: upstreamIDs)
        #expect(try packets().count == 2)
    }

    mutating func admit(_ login: DeviceLogin, holding upstreamIDs: [String] = []) {
        session.admit(login, holding: upstreamIDs, wallClock: Self.wallClock, at: now, into: &written)
    }

    @discardableResult
    mutating func receive(_ bytes: [UInt8]) -> [SessionEvent] {
        session.receive(bytes, at: now)
        return pump()
    }

    @discardableResult
    mutating func receive(_ packet: MCSPacket) -> [SessionEvent] {
        receive(packet.frame)
    }

    mutating func pump() -> [SessionEvent] {
        var events: [SessionEvent] = []
        while let event = session.next(at: now, into: &written) { events.append(event) }
        return events
    }

    mutating func wait(_ duration: Duration) -> SessionEvent? {
        now = now.adding(duration)
        return session.timePassed(now, into: &written)
    }

    mutating func write(_ id: Int64) {
        session.write(Self.message(id), at: now, into: &written)
    }

    static func message(_ id: Int64) -> OutgoingMessage {
        var stanza = DataMessageStanza()
        stanza.from = "123456789012"
        return OutgoingMessage(
            id: DeliveryID(value: id), persistentID: persistentID(id), category: "org.example.app",
            template: DataMessageTemplate(stanza))
    }

    static func persistentID(_ id: Int64) -> String {
        PersistentID.text(of: DeliveryID(value: id), message: MessageID(value: 1_700_000_000_000_000))
    }

    /// The packets that the client has not seen yet, without the version byte.
    mutating func packets() throws -> [MCSPacket] {
        reader.receive(written)
        written = []
        var packets: [MCSPacket] = []
        while let element = try reader.next() {
            if case .packet(let packet) = element { packets.append(packet) }
        }
        return packets
    }

    mutating func takeWritten() -> [UInt8] {
        defer { written = [] }
        return written
    }
}

extension MCSPacket {
    static func upstream(_ persistentID: String, _ change: (inout DataMessageStanza) -> Void = { _ in }) -> MCSPacket {
        var stanza = DataMessageStanza()
        stanza.id = "mid-\(persistentID)"
        stanza.from = "gcm@chrome.com"
        stanza.to = "1@gcm.googleapis.com"
        stanza.category = "app"
        stanza.persistentID = persistentID
        change(&stanza)
        return .dataMessage(stanza)
    }

    var stanza: DataMessageStanza? {
        if case .dataMessage(let stanza) = self { stanza } else { nil }
    }
}

func ids(_ values: Int64...) -> [DeliveryID] {
    values.map { DeliveryID(value: $0) }
}
