import EventLoop
import MCSWire
import Testing

@testable import DeviceChannel

@Suite struct `Device session and heartbeats` {
    @Test func `answers each ping at once, and no answer`() throws {
        var bench = try SessionBench.loggedIn()
        bench.receive(.heartbeatPing(Heartbeat()))
        bench.receive(.heartbeatPing(Heartbeat(status: 7)))
        bench.receive(.heartbeatAck(Heartbeat()))
        #expect(
            try bench.packets() == [
                .heartbeatAck(Heartbeat(lastStreamIDReceived: 2)),
                .heartbeatAck(Heartbeat(lastStreamIDReceived: 3, status: 7)),
            ])
    }

    @Test func `MCS-06 says nothing and does not end for half an hour of silence`() throws {
        var bench = try SessionBench.loggedIn()
        for _ in 0..<30 { #expect(bench.wait(.seconds(60)) == nil) }
        #expect(try bench.packets().isEmpty)
        bench.write(11)
        #expect(try bench.packets().count == 1)
    }

    @Test func `pings a silent client and ends when there is no answer`() throws {
        var bench = try SessionBench.loggedIn()
        bench.receive(.heartbeatPing(Heartbeat(lastStreamIDReceived: 2)))
        #expect(bench.wait(.seconds(31 * 60 - 1)) == nil)
        _ = try bench.packets()
        #expect(bench.wait(.seconds(1)) == nil)
        #expect(try bench.packets() == [.heartbeatPing(Heartbeat(lastStreamIDReceived: 2))])
        #expect(bench.wait(.seconds(59)) == nil)
        #expect(bench.wait(.seconds(1)) == .end(.silent))
        #expect(try bench.packets().isEmpty)
    }

    @Test(
        arguments: [
            MCSPacket.heartbeatAck(Heartbeat()), .heartbeatPing(Heartbeat()), .iq(.streamAck(lastStreamIDReceived: 2)),
            .upstream("1"),
        ]) func `takes any packet for an answer`(packet: MCSPacket) throws
    {
        var bench = try SessionBench.loggedIn()
        bench.receive(.heartbeatPing(Heartbeat()))
        #expect(bench.wait(.seconds(31 * 60)) == nil)
        bench.receive(packet)
        bench.session.finished(3)
        #expect(bench.wait(.seconds(61)) == nil)
        #expect(bench.session.phase == .streaming)
    }

    @Test func `goes on asking a client that has never sent a heartbeat`() throws {
        var bench = try SessionBench.loggedIn()
        for _ in 0..<5 {
            _ = try bench.packets()
            #expect(bench.wait(.seconds(31 * 60)) == nil)
            #expect(try bench.packets() == [.heartbeatPing(Heartbeat(lastStreamIDReceived: 1))])
            #expect(bench.wait(.seconds(60)) == nil)
            #expect(try bench.packets().isEmpty)
        }
    }

    @Test func `takes a part of a packet for an answer`() throws {
        var bench = try SessionBench.loggedIn()
        bench.receive(.heartbeatPing(Heartbeat()))
        let frame = MCSPacket.upstream("1").frame
        #expect(bench.wait(.seconds(31 * 60)) == nil)
        for byte in frame.dropLast() {
            bench.receive([byte])
            #expect(bench.wait(.seconds(59)) == nil)
        }
        #expect(bench.session.phase == .streaming)
    }

    @Test func `does not count the time in which it reads nothing`() throws {
        var bench = try SessionBench.loggedIn { $0.uncommittedPackets = 1 }
        bench.receive(.heartbeatPing(Heartbeat()))
        bench.receive(.upstream("1"))
        _ = try bench.packets()
        #expect(bench.session.isWaiting)
        for _ in 0..<200 { #expect(bench.wait(.seconds(60)) == nil) }
        #expect(try bench.packets().isEmpty)
        bench.session.finished(3)
        #expect(bench.wait(.seconds(30 * 60)) == nil)
        #expect(try bench.packets().isEmpty)
        #expect(bench.wait(.seconds(60)) == nil)
        #expect(try bench.packets() == [.heartbeatPing(Heartbeat(lastStreamIDReceived: 3))])
        #expect(bench.wait(.seconds(60)) == .end(.silent))
    }

    static let intervals: [(name: String, change: @Sendable (inout LoginRequest) -> Void, silence: Duration)] = [
        ("nothing", { _ in }, .seconds(1_860)),
        ("a short interval", { $0.heartbeatStat = HeartbeatStat(intervalMilliseconds: 10_000) }, .seconds(1_860)),
        ("20 minutes", { $0.heartbeatStat = HeartbeatStat(intervalMilliseconds: 1_200_000) }, .seconds(2_400)),
        ("hbping", { $0.settings.append(Setting(name: "hbping", value: "1800000")) }, .seconds(3_600)),
        ("hbping of nonsense", { $0.settings.append(Setting(name: "hbping", value: "often")) }, .seconds(1_860)),
        ("a negative interval", { $0.heartbeatStat = HeartbeatStat(intervalMilliseconds: -5) }, .seconds(1_860)),
        ("the longest", { $0.heartbeatStat = HeartbeatStat(intervalMilliseconds: .max) }, .seconds(172_800)),
    ]

    @Test(arguments: intervals.indices) func `allows twice the interval that the client asks for`(row: Int) throws {
        let row = Self.intervals[row]
        var bench = SessionBench()
        try bench.logIn(SessionBench.login(row.change))
        #expect(bench.session.deadline == bench.now.adding(row.silence), "\(row.name)")
    }
}
