import MCSWire
import PushCore
import PushModel
import SQLiteStore
import Telemetry
import Testing

@testable import DeviceChannel

@Suite(.timeLimit(.minutes(2))) struct `Device channel and connections` {
    @Test func `commits upstream messages before it confirms them`() async throws {
        let upstream = UpstreamScript()
        let world = try await ChannelWorld(upstream: upstream)
        let device = try await world.device()
        let client = try await world.connect(device)
        upstream.hold()
        client.send(.upstream("1001") { $0.appData = [DataMessageStanza.AppData(key: "a", value: "b")] })
        try await world.wait { upstream.taken.count == 1 }
        client.send(.heartbeatPing(Heartbeat()))
        #expect(await client.next() == .heartbeatAck(Heartbeat(lastStreamIDReceived: 1)))
        upstream.release()
        #expect(await client.next() == .iq(.streamAck(lastStreamIDReceived: 3)))
        let message = try #require(upstream.taken.first)
        #expect(message.messageID == "mid-1001")
        #expect(message.queueID == "1001")
        #expect(message.destination == "1@gcm.googleapis.com")
        #expect(message.data == [Message.DataEntry(key: "a", value: "b")])
    }

    @Test func `keeps the order of upstream messages and waits when too many are uncommitted`() async throws {
        let upstream = UpstreamScript()
        let world = try await ChannelWorld(upstream: upstream) { $0.uncommittedPackets = 5 }
        let client = try await world.connect(try await world.device())
        upstream.hold()
        for number in 0..<50 { client.send(.upstream(String(number))) }
        try await world.wait { upstream.taken.count == 5 }
        upstream.release()
        try await world.wait { upstream.taken.count == 50 }
        #expect(upstream.taken.map(\.queueID) == (0..<50).map(String.init))
        // Confirmed in steps, because the client would take no more messages of the app without.
        var confirmed: [Int32] = []
        while confirmed.last != 51, let packet = await client.next() {
            confirmed.append(try #require(packet.lastStreamIDReceived))
        }
        #expect(confirmed.last == 51)
        #expect(confirmed == confirmed.sorted())
    }

    @Test func `tells the app why a message went nowhere, and confirms it all the same`() async throws {
        let upstream = UpstreamScript()
        upstream.answer("mid-7", with: .refused(error: "not_registered"))
        let world = try await ChannelWorld(upstream: upstream)
        let client = try await world.connect(try await world.device())
        client.send(.upstream("7"))
        let error = try #require(await client.messages(1).first)
        #expect(error.lastStreamIDReceived == 2)
        #expect(error.persistentID == "mid-7")
        #expect(error.category == "app")
        #expect(
            error.appData.map { [$0.key, $0.value] } == [
                ["message_type", "send_error"], ["google.message_id", "mid-7"], ["error", "not_registered"],
            ])
    }

    @Test func `ends a session whose messages cannot be committed`() async throws {
        let upstream = UpstreamScript()
        let world = try await ChannelWorld(upstream: upstream)
        let client = try await world.connect(try await world.device())
        upstream.breakDown()
        client.send(.upstream("1"))
        #expect(await client.rest().isEmpty)
    }

    @Test func `stays when a project of the device is deleted, and serves the others`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let client = try await world.connect(device)
        try await world.send(["n": "1"], to: device)
        try await world.send(["n": "2"], to: device)
        #expect(await client.messages(2).count == 2)
        try await world.send(["n": "3"], to: device, timeToLive: 60)
        try await world.store.deleteProject(world.project.number)
        // What it acknowledges is gone already.
        client.acknowledge(upTo: 4)
        client.send(.upstream("1"))
        #expect(await client.packetsBeforeAnswer().allSatisfy { $0.stanza?.appData.first?.value != "4" })
        #expect(try world.waiting(for: device) == 0)
        let second = try await world.store.createProject(id: ProjectID("demo-second")!, displayName: "")
        let other = try await world.app("org.example.second", of: second, on: device)
        try await world.send(["n": "4"], to: other, in: second)
        #expect(await client.messages(1).first?.appData.first?.value == "4")
    }

    @Test func `takes no message past one that could not be committed`() async throws {
        let upstream = UpstreamScript()
        let world = try await ChannelWorld(upstream: upstream)
        let client = try await world.connect(try await world.device())
        upstream.fail("mid-2")
        client.send((1...5).flatMap { MCSPacket.upstream(String($0)).frame })
        #expect(await client.rest().isEmpty)
        #expect(upstream.taken.map(\.queueID) == ["1"], "the device sends the others again, in their order")
    }

    @Test func `serves the clients of every version with their own byte`() async throws {
        let world = try await ChannelWorld()
        for version in [UInt8(38), 40, 41] {
            let client = world.connect()
            client.send([version] + MCSPacket.loginRequest(try await world.device().login()).frame)
            try await client.expectLogin()
            #expect(client.received.first == version)
        }
    }

    @Test func `ends a connection that is no login`() async throws {
        let world = try await ChannelWorld()
        for bytes: [UInt8] in [[37], [41, 0, 0], [41, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [22, 3, 1]] {
            let client = world.connect()
            client.send(bytes)
            #expect(await client.rest().isEmpty)
            #expect(client.received.isEmpty)
        }
    }

    @Test func `ends a connection that does not log in in time`() async throws {
        let world = try await ChannelWorld { $0.loginDeadline = .milliseconds(50) }
        let client = world.connect()
        client.send([41, 2, 70])
        #expect(await client.rest().isEmpty)
        #expect(client.received.isEmpty)
    }

    @Test func `pings and ends a client that is silent and knows heartbeats`() async throws {
        let world = try await ChannelWorld {
            $0.silence = .milliseconds(50)
            $0.pingDeadline = .milliseconds(50)
        }
        let device = try await world.device()
        let client = try await world.connect(device)
        client.send(.heartbeatPing(Heartbeat()))
        let packets = await client.rest()
        #expect(packets.last == .heartbeatPing(Heartbeat(lastStreamIDReceived: 2)))
        try await world.wait { world.live.count == 0 }
    }

    @Test func `reads a login that comes byte by byte`() async throws {
        let world = try await ChannelWorld()
        let client = world.connect()
        for byte in [41] + MCSPacket.loginRequest(try await world.device().login()).frame { client.send([byte]) }
        try await client.expectLogin()
    }

    @Test func `lets only the newest of many logins live`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        var clients: [DeviceClient] = []
        for _ in 0..<8 {
            let client = world.connect()
            client.send([41] + MCSPacket.loginRequest(device.login()).frame)
            clients.append(client)
        }
        try await world.wait {
            let page = world.metrics.page()
            return page.contains("pharos_device_logins_total{result=\"admitted\"} 8\n")
                && page.contains("pharos_device_sessions 1\n")
        }
        try await world.send(["n": "1"], to: device)
        try await world.wait { world.metrics.page().contains("pharos_device_messages_written_total 1\n") }
        #expect(world.live.count == 1)
    }

    @Test func `drains: confirms what came and closes every connection`() async throws {
        let upstream = UpstreamScript()
        let world = try await ChannelWorld(upstream: upstream) { $0.confirmationDelay = .seconds(3_600) }
        var clients: [DeviceClient] = []
        for _ in 0..<5 { clients.append(try await world.connect(try await world.device())) }
        clients[0].send(.upstream("1"))
        try await world.wait { upstream.taken.count == 1 }
        await world.server.drain(deadline: .seconds(30))
        #expect(await clients[0].rest() == [.iq(.streamAck(lastStreamIDReceived: 2))])
        for client in clients.dropFirst() { #expect(await client.rest().isEmpty) }
        #expect(world.live.count == 0)
        #expect(world.server.openConnections == 0)
    }

    @Test func `ends the sessions that the registry is told to end`() async throws {
        let world = try await ChannelWorld()
        let client = try await world.connect(try await world.device())
        for session in world.live.all { session.end() }
        #expect(await client.rest() == [.close])
        try await world.wait { world.live.count == 0 }
    }
}
