import EventLoop
import MCSWire
import PushModel
import Testing

@testable import DeviceChannel

@Suite struct `Device session and acknowledgements` {
    @Test func `follows the traffic of a real browser`() throws {
        var bench = try SessionBench.loggedIn()
        let first = MCSPacket.upstream("2230303717") { $0.lastStreamIDReceived = 2 }
        let second = MCSPacket.upstream("2231308971") { $0.lastStreamIDReceived = 2 }
        let events = bench.receive(first) + bench.receive(second)
        #expect(events.count == 2)
        for (event, packet) in zip(events, [first, second]) {
            guard case .upstream(let stanza, let number) = event else {
                Issue.record("not a message: \(event)")
                continue
            }
            #expect(packet == .dataMessage(stanza))
            if number == 2 { bench.session.finishedUpstream(stanza, packet: number, at: bench.now) }
        }
        for id in Int64(1)...5 { bench.write(id) }
        let messages = try bench.packets().compactMap(\.stanza)
        #expect(messages.map(\.persistentID) == (1...5).map(SessionBench.persistentID))
        #expect(messages.allSatisfy { $0.lastStreamIDReceived == 2 })

        #expect(bench.wait(.seconds(31 * 60)) == nil)
        #expect(try bench.packets().last == .heartbeatPing(Heartbeat(lastStreamIDReceived: 2)))
        // s8 was the ping, or s9 behind a confirmation: the client says how far it has read.
        let acknowledgement = bench.receive(.heartbeatAck(Heartbeat(lastStreamIDReceived: 8)))
        #expect(acknowledgement == [.acknowledged(ids(1, 2, 3, 4, 5), packet: 4)])
        #expect(bench.session.unacknowledged.count == 0)
    }

    @Test func `takes a stream id of any packet for all packets up to it`() throws {
        let packets: [MCSPacket] = [
            .heartbeatPing(Heartbeat(lastStreamIDReceived: 4)), .heartbeatAck(Heartbeat(lastStreamIDReceived: 4)),
            .iq(.streamAck(lastStreamIDReceived: 4)), .upstream("1") { $0.lastStreamIDReceived = 4 },
        ]
        for packet in packets {
            var bench = try SessionBench.loggedIn()
            for id in Int64(11)...13 { bench.write(id) }
            #expect(bench.receive(packet).first == .acknowledged(ids(11, 12), packet: 2), "\(packet)")
            #expect(bench.session.unacknowledged.ids == ids(13))
        }
    }

    @Test func `takes a selective acknowledgement for the messages that it names`() throws {
        var bench = try SessionBench.loggedIn()
        for id in Int64(11)...13 { bench.write(id) }
        let named = [SessionBench.persistentID(13), "0:1%strange", SessionBench.persistentID(99)]
        let stranger = SessionBench.persistentID(99)
        #expect(
            bench.receive(.iq(.selectiveAck(named))) == [
                .acknowledged(ids(13), packet: 2), .acknowledgedByName([stranger], packet: 2),
            ])
        // Acknowledging 13 again is the same as naming a message of an earlier connection.
        #expect(
            bench.receive(.iq(.selectiveAck([SessionBench.persistentID(13)]))) == [
                .acknowledgedByName([SessionBench.persistentID(13)], packet: 3)
            ])
        #expect(bench.session.unacknowledged.ids == ids(11, 12))
    }

    @Test func `acknowledges each message once`() throws {
        var bench = try SessionBench.loggedIn()
        bench.write(11)
        #expect(bench.receive(.iq(.streamAck(lastStreamIDReceived: 3))).count == 1)
        #expect(bench.receive(.iq(.streamAck(lastStreamIDReceived: 3))).isEmpty)
        #expect(bench.receive(.heartbeatPing(Heartbeat(lastStreamIDReceived: 3))).isEmpty)
    }

    @Test(arguments: [Int32(0), -1, .min, 4, 1_000, .max])
    func `passes over a stream id that was never written`(streamID: Int32) throws {
        var bench = try SessionBench.loggedIn()
        bench.write(11)
        #expect(bench.receive(.heartbeatPing(Heartbeat(lastStreamIDReceived: streamID))).isEmpty)
        #expect(bench.session.unacknowledged.ids == ids(11))
    }

    @Test func `keeps no account of a message that is not stored`() throws {
        var bench = try SessionBench.loggedIn()
        var message = SessionBench.message(11)
        message.id = nil
        var output: [UInt8] = []
        bench.session.write(message, at: bench.now, into: &output)
        #expect(bench.session.unacknowledged.count == 0)
        #expect(bench.receive(.iq(.streamAck(lastStreamIDReceived: 3))).isEmpty)
    }

    @Test func `pauses with 100 unacknowledged messages and goes on after an acknowledgement`() throws {
        var bench = try SessionBench.loggedIn()
        for id in Int64(1)...100 {
            #expect(bench.session.isWindowOpen)
            bench.write(id)
        }
        #expect(!bench.session.isWindowOpen)
        bench.receive(.iq(.streamAck(lastStreamIDReceived: 3)))
        #expect(bench.session.isWindowOpen)
    }

    @Test func `confirms a packet only when all up to it is committed`() throws {
        var bench = try SessionBench.loggedIn()
        bench.write(11)
        _ = try bench.packets()
        bench.receive(.upstream("1") { $0.lastStreamIDReceived = 3 })
        bench.receive(.upstream("2"))
        func stamp() throws -> Int32? {
            bench.receive(.heartbeatPing(Heartbeat()))
            return try bench.packets().last?.lastStreamIDReceived
        }
        #expect(try stamp() == 1)
        bench.session.finished(3)
        #expect(try stamp() == 1)
        // Packet 2 was a message and an acknowledgement: both must be committed.
        bench.session.finished(2)
        #expect(try stamp() == 1)
        bench.session.finished(2)
        #expect(try stamp() == 7)
        bench.session.finished(2)
        #expect(try stamp() == 8)
    }

    @Test func `confirms a committed message after a second when nothing else goes out`() throws {
        var bench = try SessionBench.loggedIn()
        let stanza = try #require(MCSPacket.upstream("1").stanza)
        bench.receive(.dataMessage(stanza))
        bench.session.finishedUpstream(stanza, packet: 2, at: bench.now)
        #expect(bench.session.deadline == bench.now.adding(.seconds(1)))
        #expect(bench.wait(.milliseconds(999)) == nil)
        #expect(try bench.packets().isEmpty)
        #expect(bench.wait(.milliseconds(1)) == nil)
        #expect(try bench.packets() == [.iq(.streamAck(lastStreamIDReceived: 2))])
        #expect(bench.wait(.seconds(60)) == nil)
        #expect(try bench.packets().isEmpty)
    }

    @Test func `lets a packet that goes out anyway confirm a message`() throws {
        var bench = try SessionBench.loggedIn()
        let stanza = try #require(MCSPacket.upstream("1").stanza)
        bench.receive(.dataMessage(stanza))
        bench.session.finishedUpstream(stanza, packet: 2, at: bench.now)
        bench.write(11)
        #expect(try bench.packets().last?.lastStreamIDReceived == 2)
        #expect(bench.wait(.seconds(2)) == nil)
        #expect(try bench.packets().isEmpty)
    }

    @Test func `confirms at once what wants that, and never what the client forgets anyway`() throws {
        var bench = try SessionBench.loggedIn()
        let urgent = try #require(MCSPacket.upstream("1", { $0.immediateAck = true }).stanza)
        bench.receive(.dataMessage(urgent))
        bench.session.finishedUpstream(urgent, packet: 2, at: bench.now)
        #expect(bench.wait(.zero) == nil)
        #expect(try bench.packets() == [.iq(.streamAck(lastStreamIDReceived: 2))])
        let forgotten = try #require(MCSPacket.upstream("").stanza)
        bench.receive(.dataMessage(forgotten))
        bench.session.finishedUpstream(forgotten, packet: 3, at: bench.now)
        #expect(bench.wait(.seconds(60)) == nil)
        #expect(try bench.packets().isEmpty)
    }

    @Test func `confirms at once when a client has sent many messages in a row`() throws {
        var bench = try SessionBench.loggedIn { $0.unconfirmedPackets = 3 }
        for packet in Int32(2)...4 {
            let stanza = try #require(MCSPacket.upstream(String(packet)).stanza)
            bench.receive(.dataMessage(stanza))
            #expect(bench.wait(.zero) == nil)
            #expect(try bench.packets().isEmpty)
            bench.session.finishedUpstream(stanza, packet: packet, at: bench.now)
        }
        #expect(bench.wait(.zero) == nil)
        #expect(try bench.packets() == [.iq(.streamAck(lastStreamIDReceived: 4))])
    }

    @Test func `asks again for a confirmation that waits for an earlier packet`() throws {
        var bench = try SessionBench.loggedIn()
        let stanza = try #require(MCSPacket.upstream("2").stanza)
        bench.receive(.upstream("1"))
        bench.receive(.dataMessage(stanza))
        bench.session.finishedUpstream(stanza, packet: 3, at: bench.now)
        #expect(bench.wait(.seconds(1)) == nil)
        #expect(try bench.packets().isEmpty)
        bench.session.finished(2)
        #expect(bench.wait(.seconds(1)) == nil)
        #expect(try bench.packets() == [.iq(.streamAck(lastStreamIDReceived: 3))])
    }

    @Test func `reads no further while too many packets are uncommitted`() throws {
        var bench = try SessionBench.loggedIn { $0.uncommittedPackets = 3 }
        let events = bench.receive((1...5).flatMap { MCSPacket.upstream(String($0)).frame })
        #expect(events.count == 3)
        #expect(bench.session.isWaiting)
        #expect(bench.session.unreadBytes > 0)
        bench.session.finished(2)
        #expect(bench.pump().count == 1)
        bench.session.finished(3)
        #expect(bench.pump().count == 1)
        #expect(bench.session.unreadBytes == 0)
    }

    @Test func `takes messages for received when a client that never acknowledges speaks much later`() throws {
        var bench = try SessionBench.loggedIn()
        bench.write(11)
        #expect(bench.wait(.seconds(20)) == nil)
        bench.write(12)
        #expect(bench.receive([0, 0]).isEmpty)
        #expect(bench.wait(.seconds(10)) == nil)
        #expect(bench.receive([0, 0]) == [.acknowledged(ids(11), packet: 3)])
        #expect(bench.wait(.seconds(600)) == nil)
        #expect(bench.receive([0, 0]) == [.acknowledged(ids(12), packet: 4)])
    }

    @Test func `waits for the acknowledgement of a client that has sent one before`() throws {
        var bench = try SessionBench.loggedIn()
        bench.receive(.heartbeatPing(Heartbeat(lastStreamIDReceived: 2)))
        bench.write(11)
        #expect(bench.wait(.seconds(600)) == nil)
        #expect(bench.receive([0, 0]).isEmpty)
        #expect(bench.session.unacknowledged.ids == ids(11))
    }
}
