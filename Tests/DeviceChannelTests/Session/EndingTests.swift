import EventLoop
import MCSWire
import PropertyTesting
import ProtobufWire
import PushModel
import Testing

@testable import DeviceChannel

@Suite struct `Device session and what is not a message` {
    static let probes = [
        "com.google.android.gsf.gtalkservice", "com.google.gcm",
    ]

    @Test(arguments: probes) func `passes over messages of the client's own services`(category: String) throws {
        var bench = try SessionBench.loggedIn()
        bench.write(11)
        let probe = MCSPacket.upstream("1") {
            $0.category = category
            $0.lastStreamIDReceived = 3
        }
        #expect(bench.receive(probe) == [.acknowledged(ids(11), packet: 2)])
    }

    @Test(arguments: [UInt8](5...6) + [9] + [UInt8](11...15) + [41, 99])
    func `counts and skips packets of other kinds`(tag: UInt8) throws {
        var bench = try SessionBench.loggedIn()
        bench.receive(.heartbeatPing(Heartbeat(lastStreamIDReceived: 1)))
        #expect(bench.receive([tag, 3, 1, 2, 3]).isEmpty)
        #expect(bench.session.unknownPackets == 1)
        bench.receive(.heartbeatPing(Heartbeat()))
        #expect(try bench.packets().last?.lastStreamIDReceived == 4)
    }

    @Test(arguments: [MCSPacket.loginResponse(LoginResponse(id: "x")), .streamError(StreamErrorStanza(type: "x"))])
    func `passes over packets that only servers send`(packet: MCSPacket) throws {
        var bench = try SessionBench.loggedIn()
        #expect(bench.receive(packet).isEmpty)
        #expect(bench.session.phase == .streaming)
    }

    static let bad: [(name: String, bytes: [UInt8], error: MCSError)] = [
        ("a packet above 64 KiB", [8, 0x81, 0x80, 0x04], .payloadTooLarge(bytes: 65_537)),
        ("a length of six bytes", [8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], .badLength),
        ("a message that is none", [8, 1, 0x0A], .malformed(tag: 8, .truncated)),
    ]

    @Test(arguments: bad.indices) func `ends for a stream that cannot be read`(row: Int) throws {
        let row = Self.bad[row]
        var bench = try SessionBench.loggedIn()
        #expect(bench.receive(row.bytes) == [.end(.badStream(row.error))], "\(row.name)")
        #expect(bench.receive(.heartbeatPing(Heartbeat())).isEmpty)
        #expect(bench.session.deadline == nil)
    }

    @Test func `takes a packet of 64 KiB`() throws {
        var bench = try SessionBench.loggedIn()
        let packet = MCSPacket.upstream("1") { $0.rawData = [UInt8](repeating: 1, count: 65_000) }
        #expect(bench.receive(packet).count == 1)
    }

    @Test func `ends when the client closes, and has heard its last acknowledgement`() throws {
        var bench = try SessionBench.loggedIn()
        bench.write(11)
        let events = bench.receive(MCSPacket.iq(.streamAck(lastStreamIDReceived: 3)).frame + MCSPacket.close.frame)
        #expect(events == [.acknowledged(ids(11), packet: 2), .end(.closedByClient)])
    }

    @Test func `tells a device that another connection took its place`() throws {
        var bench = try SessionBench.loggedIn()
        bench.write(11)
        _ = try bench.packets()
        var output: [UInt8] = []
        #expect(bench.session.end(.superseded, into: &output) == .end(.superseded))
        #expect(output == [4, 0])
        #expect(bench.session.end(.draining, into: &output) == nil)
        #expect(bench.session.unacknowledged.ids == ids(11))
        bench.write(12)
        #expect(try bench.packets().isEmpty)
    }

    @Test(arguments: [SessionEnd.draining, .storeFailed, .silent])
    func `ends without a word when the device shall come back`(reason: SessionEnd) throws {
        var bench = try SessionBench.loggedIn()
        var output: [UInt8] = []
        #expect(bench.session.end(reason, into: &output) == .end(reason))
        #expect(output.isEmpty)
    }

    @Test func `says nothing to a client that is not logged in when it ends`() {
        var bench = SessionBench()
        bench.receive([41])
        var output: [UInt8] = []
        #expect(bench.session.end(.draining, into: &output) == .end(.draining))
        #expect(output.isEmpty)
    }

    @Test func `survives streams with faults`() throws {
        var random = SeededGenerator(seed: 5_228)
        let packets: [MCSPacket] = [
            .heartbeatPing(Heartbeat(lastStreamIDReceived: 3)), .upstream("1"),
            .iq(.streamAck(lastStreamIDReceived: 5)),
            .iq(.selectiveAck([SessionBench.persistentID(3), "x"])), .heartbeatAck(Heartbeat()), .upstream("2"), .close,
        ]
        for _ in 0..<2_000 {
            var bench = try SessionBench.loggedIn { $0.uncommittedPackets = 4 }
            for id in Int64(1)...5 { bench.write(id) }
            let stream = random.mutate((0..<12).flatMap { _ in packets.randomElement(using: &random)?.frame ?? [] })
            for piece in random.pieces(of: stream, longest: 50) { try play(piece, on: &bench) }
            #expect(bench.session.unacknowledged.count <= 5)
        }
    }

    /// Commits everything at once.
    private func play(_ piece: [UInt8], on bench: inout SessionBench) throws {
        var events = bench.receive(piece)
        while !events.isEmpty {
            for event in events {
                switch event {
                case .acknowledged(_, let packet), .acknowledgedByName(_, let packet): bench.session.finished(packet)
                case .upstream(let stanza, let packet):
                    bench.session.finishedUpstream(stanza, packet: packet, at: bench.now)
                case .login, .end: break
                }
            }
            events = bench.pump()
        }
        _ = try bench.packets()
    }
}
