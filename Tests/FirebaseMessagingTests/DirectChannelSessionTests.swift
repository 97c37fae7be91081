import Foundation
import MCSWire
import PropertyTesting
import Testing

@testable import FirebaseMessaging

/// A session and the packets that it writes.
private struct Bench {
    var session: DirectChannelSession
    var now = Date(timeIntervalSince1970: 1_700_000_000)
    private var reader = MCSFrameReader(maximumPayloadBytes: 1 << 20)
    private(set) var packets: [MCSPacket] = []
    private(set) var others: [DirectChannelSession.Action] = []
    private(set) var version: UInt8?

    init(receivedIDs: [String] = []) {
        let login = DirectChannelLogin.request(
            CheckInCredentials(deviceID: 255, secret: 7), version: "12.0.0", receivedIDs: receivedIDs, network: .wiFi)
        session = DirectChannelSession(login: login)
    }

    /// Signed in, with its ping answered.
    static func signedIn(receivedIDs: [String] = []) throws -> Bench {
        var bench = Bench(receivedIDs: receivedIDs)
        try bench.open()
        try bench.receive(.loginResponse(LoginResponse(id: "x")), .heartbeatAck(Heartbeat()))
        bench.forget()
        return bench
    }

    mutating func open() throws { try note(session.opened()) }

    private var hasVersion = false

    mutating func receive(_ packets: MCSPacket..., version: UInt8 = 40) throws {
        var bytes: [UInt8] = hasVersion ? [] : [version]
        hasVersion = true
        for packet in packets { packet.append(to: &bytes) }
        try note(session.receive(bytes, at: now))
    }

    mutating func pass(seconds: Double) throws {
        now += seconds
        try note(session.timePassed(at: now))
    }

    mutating func note(_ actions: [DirectChannelSession.Action]) throws {
        for action in actions {
            guard case .write(let bytes) = action else {
                others.append(action)
                continue
            }
            reader.receive(bytes)
            while let element = try reader.next() {
                switch element {
                case .version(let byte): version = byte
                case .packet(let packet): packets.append(packet)
                }
            }
        }
    }

    mutating func forget() {
        packets = []
        others = []
    }
}

@Suite struct `Direct channel session` {
    @Test func `opens with version 40 and the login`() throws {
        var bench = Bench(receivedIDs: ["a", "b"])
        try bench.open()
        #expect(bench.version == 40)
        guard case .loginRequest(let login)? = bench.packets.first, bench.packets.count == 1 else {
            Issue.record("no login")
            return
        }
        #expect(login.id == "ios-12.0.0" && login.domain == "mcs.android.com")
        #expect(login.user == "255" && login.resource == "255" && login.authToken == "7")
        #expect(login.deviceID == "android-ff" && login.lastRMQID == 1)
        #expect(login.settings == [Setting(name: "new_vc", value: "1")])
        #expect(login.receivedPersistentIDs == ["a", "b"])
        #expect(login.useRMQ2 == true && login.accountID == 1_000_000)
        #expect(login.authService == 2 && login.networkType == 1)
        #expect(login.adaptiveHeartbeat == nil && login.heartbeatStat == nil)
    }

    @Test func `asks for a sign of life right after the login`() throws {
        var bench = Bench()
        try bench.open()
        bench.forget()
        try bench.receive(.loginResponse(LoginResponse(id: "x")))
        #expect(bench.others == [.signedIn])
        #expect(bench.packets == [.heartbeatPing(Heartbeat(lastStreamIDReceived: 1))])
        #expect(bench.session.isSignedIn)
    }

    @Test(arguments: [0, 38, 39, 41, 42] as [UInt8]) func `leaves a server of another version`(version: UInt8) throws {
        var bench = Bench()
        try bench.open()
        try bench.receive(.loginResponse(LoginResponse(id: "x")), version: version)
        #expect(bench.others == [.end(.wrongVersion(version))])
        #expect(!bench.session.isSignedIn)
    }

    static let beforeLogin: [MCSPacket] = [
        .heartbeatPing(Heartbeat(lastStreamIDReceived: 1)), .heartbeatAck(Heartbeat(lastStreamIDReceived: 1)),
        .iq(.selectiveAck(["1"])), .dataMessage(.message("p1")), .unknown(tag: 9), .streamError(StreamErrorStanza()),
    ]

    @Test(arguments: beforeLogin) func `drops what comes before the login, and counts it`(packet: MCSPacket) throws {
        var bench = Bench(receivedIDs: ["a"])
        try bench.open()
        bench.forget()
        try bench.receive(packet, .loginResponse(LoginResponse(id: "x")))
        #expect(bench.others == [.signedIn])
        let count: Int32 = packet == .unknown(tag: 9) ? 1 : 2
        #expect(bench.packets == [.heartbeatPing(Heartbeat(lastStreamIDReceived: count))])
    }

    @Test func `drops a second login answer`() throws {
        var bench = try Bench.signedIn()
        var response = LoginResponse(id: "x")
        response.error = ErrorInfo(code: 1)
        try bench.receive(.loginResponse(response))
        #expect(bench.others.isEmpty && bench.session.isSignedIn)
    }

    @Test func `ends when the login is refused, whatever the code`() throws {
        var bench = Bench(receivedIDs: ["a"])
        try bench.open()
        var response = LoginResponse(id: "x")
        response.error = ErrorInfo(code: 0, message: "no")
        response.lastStreamIDReceived = 1
        try bench.receive(.loginResponse(response))
        #expect(bench.others == [.end(.refused(code: 0, message: "no"))])
    }

    @Test func `pings after 30 quiet seconds, and leaves after 20 more`() throws {
        var bench = try Bench.signedIn()
        #expect(bench.session.nextDeadline == bench.now.addingTimeInterval(30))
        try bench.pass(seconds: 29)
        #expect(bench.packets.isEmpty)
        try bench.pass(seconds: 1)
        #expect(bench.packets.pings == 1)
        #expect(bench.session.nextDeadline == bench.now.addingTimeInterval(20))
        try bench.pass(seconds: 19)
        #expect(bench.packets.pings == 1 && bench.others.isEmpty)
        try bench.pass(seconds: 1)
        #expect(bench.others == [.end(.silence)])
        #expect(bench.session.nextDeadline == nil)
    }

    static let signsOfLife: [MCSPacket] = [
        .heartbeatPing(Heartbeat()), .heartbeatAck(Heartbeat()), .iq(.selectiveAck([])), .dataMessage(.message("p")),
        .loginResponse(LoginResponse(id: "x")), .streamError(StreamErrorStanza()),
    ]

    @Test(arguments: signsOfLife) func `takes any packet for a sign of life`(packet: MCSPacket) throws {
        var bench = try Bench.signedIn()
        try bench.pass(seconds: 45)
        #expect(bench.packets.pings == 1)
        try bench.receive(packet)
        #expect(bench.session.nextDeadline == bench.now.addingTimeInterval(30))
        try bench.pass(seconds: 29)
        #expect(bench.packets.pings == 1 && !bench.others.contains(.end(.silence)))
    }

    @Test func `half a packet is no sign of life`() throws {
        var bench = try Bench.signedIn()
        try bench.pass(seconds: 30)
        try bench.note(bench.session.receive([8, 100, 1], at: bench.now))
        try bench.pass(seconds: 20)
        #expect(bench.others == [.end(.silence)])
    }

    @Test func `answers the server's ping and repeats its status`() throws {
        var bench = try Bench.signedIn()
        try bench.receive(.heartbeatPing(Heartbeat(status: 5)))
        #expect(bench.packets == [.heartbeatAck(Heartbeat(lastStreamIDReceived: 3, status: 5))])
    }

    @Test func `says how much it has read only when that is news`() throws {
        var bench = try Bench.signedIn()
        try bench.note(bench.session.send(.message("1")))
        try bench.note(bench.session.send(.message("2")))
        #expect(bench.packets.dataMessages.map(\.lastStreamIDReceived) == [2, nil])
    }

    @Test func `acknowledges after ten packets`() throws {
        var bench = try Bench.signedIn()
        // The answer to the ping is unreported: packet 2 of the server.
        for number in 3...10 { try bench.receive(.dataMessage(.message("p\(number)"))) }
        #expect(bench.packets.isEmpty)
        try bench.receive(.dataMessage(.message("p11")))
        #expect(bench.packets == [.iq(.streamAck(lastStreamIDReceived: 11))])
        bench.forget()
        for number in (12...20) as ClosedRange<Int64> { try bench.receive(.heartbeatAck(Heartbeat(status: number))) }
        #expect(bench.packets.isEmpty)
        try bench.receive(.heartbeatAck(Heartbeat()))
        #expect(bench.packets == [.iq(.streamAck(lastStreamIDReceived: 21))])
    }

    @Test func `acknowledges at once what asks for it`() throws {
        var bench = try Bench.signedIn()
        var stanza = DataMessageStanza.message("p")
        stanza.immediateAck = true
        try bench.receive(.dataMessage(stanza))
        #expect(bench.packets == [.iq(.streamAck(lastStreamIDReceived: 3))])
        #expect(bench.others == [.message(stanza)])
    }

    @Test func `the acknowledgement is an IQ of type set with an empty id`() {
        let stanza = IqStanza.streamAck(lastStreamIDReceived: 3)
        #expect(stanza.kind == .set && stanza.id.isEmpty && stanza.content == .streamAck)
    }

    @Test func `knows what the server knows when its count covers the packet that told`() throws {
        var bench = try Bench.signedIn()
        try bench.receive(.dataMessage(.message("p1")), .dataMessage(.message("p2")))
        // Client packets so far: login and ping. The third one tells.
        try bench.note(bench.session.send(.message("")))
        try bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: 2)))
        #expect(!bench.others.contains(.confirmed(["p1", "p2"])))
        try bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: 3)))
        #expect(bench.others.contains(.confirmed(["p1", "p2"])))
        bench.forget()
        try bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: 3)))
        #expect(bench.others.isEmpty)
    }

    @Test func `the login's ids are confirmed by the answer to it`() throws {
        var bench = Bench(receivedIDs: ["a", "b"])
        try bench.open()
        var response = LoginResponse(id: "x")
        response.lastStreamIDReceived = 1
        try bench.receive(.loginResponse(response))
        #expect(bench.others == [.confirmed(["a", "b"]), .signedIn])
    }

    @Test(arguments: [4, 1000, -1, 0, .min] as [Int32]) func `a count that cannot be settles nothing`(count: Int32)
        throws
    {
        var bench = try Bench.signedIn(receivedIDs: ["a"])
        try bench.note(bench.session.send(.message("9")))
        try bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: count)))
        #expect(bench.others.isEmpty)
    }

    @Test func `the server has a message when its count covers it`() throws {
        var bench = try Bench.signedIn()
        for id in ["7", "8"] { try bench.note(bench.session.send(.message(id))) }
        try bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: 3)))
        #expect(bench.others == [.accepted(["7"])])
        try bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: 4)))
        #expect(bench.others == [.accepted(["7"]), .accepted(["8"])])
    }

    @Test func `the server has a message when it names it, and nothing is sent again for that`() throws {
        var bench = try Bench.signedIn()
        for id in ["7", "8"] { try bench.note(bench.session.send(.message(id))) }
        bench.forget()
        try bench.receive(.iq(.selectiveAck([])))
        #expect(bench.others.isEmpty && bench.packets.isEmpty)
        try bench.receive(.iq(.selectiveAck(["8", "elsewhere"])))
        #expect(bench.others == [.accepted(["8", "elsewhere"])] && bench.packets.isEmpty)
        bench.forget()
        try bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: 4)))
        #expect(bench.others == [.accepted(["7"])])
    }

    @Test func `sends nothing before the login`() throws {
        var bench = Bench()
        try bench.note(bench.session.send(.message("1")))
        try bench.open()
        try bench.note(bench.session.send(.message("1")))
        try bench.note(bench.session.opened())
        #expect(bench.packets.count == 1 && bench.others.isEmpty)
    }

    @Test func `says goodbye when it is signed in, and nothing after that`() throws {
        var bench = try Bench.signedIn()
        try bench.note(bench.session.close())
        try bench.note(bench.session.send(.message("1")))
        try bench.note(bench.session.close())
        #expect(bench.packets == [.close])
        var early = Bench()
        try early.open()
        early.forget()
        try early.note(early.session.close())
        #expect(early.packets.isEmpty)
    }

    @Test func `ends when the server says goodbye`() throws {
        var bench = try Bench.signedIn()
        try bench.receive(.close, .dataMessage(.message("late")))
        #expect(bench.others == [.end(.closedByServer)])
    }

    static let unreadable: [(name: String, bytes: [UInt8])] = [
        ("a length of six bytes", [8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        ("a packet of more than a megabyte", [8, 0x81, 0x80, 0x40]),
        ("no message where one should be", [8, 2, 0xFF, 0xFF]),
    ]

    @Test(arguments: unreadable) func `ends at`(_ what: (name: String, bytes: [UInt8])) throws {
        var bench = try Bench.signedIn()
        try bench.note(bench.session.receive(what.bytes, at: bench.now))
        #expect(bench.others == [.end(.unreadable)])
    }

    @Test func `reads the same however the bytes are cut`() throws {
        var random = SeededGenerator(seed: 9)
        var bytes: [UInt8] = [40]
        MCSPacket.loginResponse(LoginResponse(id: "x")).append(to: &bytes)
        for number in 1...30 { MCSPacket.dataMessage(.message("p\(number)")).append(to: &bytes) }
        var whole = Bench()
        try whole.open()
        try whole.note(whole.session.receive(bytes, at: whole.now))
        for _ in 0..<50 {
            var cut = Bench()
            try cut.open()
            for piece in random.pieces(of: bytes, longest: 40) {
                try cut.note(cut.session.receive(piece, at: cut.now))
            }
            #expect(cut.others == whole.others && cut.packets == whole.packets)
        }
    }

    @Test func `survives whatever a server sends`() throws {
        var random = SeededGenerator(seed: 10)
        var bytes: [UInt8] = [40]
        MCSPacket.loginResponse(LoginResponse(id: "x")).append(to: &bytes)
        for number in 1...5 { MCSPacket.dataMessage(.message("p\(number)")).append(to: &bytes) }
        MCSPacket.iq(.selectiveAck(["1", "2"])).append(to: &bytes)
        for _ in 0..<2000 {
            var bench = Bench()
            try bench.open()
            for piece in random.pieces(of: random.mutate(bytes, alphabet: [0, 4, 7, 8, 0x80]), longest: 64) {
                _ = bench.session.receive(piece, at: bench.now)
            }
        }
    }
}
